import { loadMission, type Mission, type MissionName, type Step } from '@parley/missions';

type Items = readonly Readonly<Record<string, unknown>>[];
interface Contract {
  readonly [member: string]: unknown;
}

const LISTS = ['interfaces', 'data_models', 'tasks', 'tests', 'gates', 'risks', 'safety_conditions', 'dependencies'];
const ID = /"(?:id|requirement_id)":"([\w-]+)"/g;

/**
 * Loads a mission and adds `prefix` to all its ids, so that its contract can be joined with that of another mission.
 */
async function loadPrefixed(name: MissionName, prefix: string): Promise<Mission> {
  const mission = await loadMission(name);
  const text = JSON.stringify(mission);
  const ids = new Set([...text.matchAll(ID)].map(([, id]) => id ?? ''));
  const renamed = text.replace(/[\w-]+/g, (word) => (ids.has(word) ? `${prefix}-${word}` : word));
  return JSON.parse(renamed);
}

const contractOf = ({ contract }: Mission): Contract => contract[0]?.input.contract as Contract;
const mappingsOf = ({ contract }: Mission): Items => contract[1]?.input.mappings as Items;

/** The owner's request for changes, which the second revision of the large contract fulfils. */
const REQUEST =
  'The order page promises an answer within 15 minutes. Say in the contract what the customer reads until then, and who may set the state by hand.';

/**
 * The mission payment-capture, with the tasks of the two other missions added. Its contract has more than 44,000
 * characters, one decision is superseded, and the owner has read r_1. The mission ends with the certified revision r_2.
 */
export async function loadLargeMission(): Promise<Mission> {
  const first = await loadMission('payment-capture');
  const others = [await loadPrefixed('offline-sync', 'sync'), await loadPrefixed('signed-webhooks', 'hook')];
  const all = [first, ...others];
  const joined = Object.fromEntries(LISTS.map((name) => [name, all.flatMap((one) => contractOf(one)[name] as Items)]));
  const contract = { ...contractOf(first), ...joined, decisions: ['d_2', 'd_4', 'd_6'] };
  const mappings = [
    ...mappingsOf(first).map((mapping) => ({ ...mapping, decisions: ['d_2'] })),
    ...others.flatMap(mappingsOf).map((mapping) => ({ ...mapping, decisions: ['d_4'] })),
  ];
  const [submit, preflight, ...review] = first.contract;
  const withContract = { ...submit, input: { ...submit?.input, contract } } as Step;
  const withMappings = { ...preflight, input: { ...preflight?.input, mappings } } as Step;
  return {
    ...first,
    session: {
      ...first.session,
      title: 'Captures, inspection sync and signed webhooks for the spring release',
      requirements: all.flatMap(({ session }) => session.requirements),
    },
    discussion: [...first.discussion, ...replacement()],
    contract: [withContract, withMappings, ...reading(), ...review.slice(0, -1)],
    readiness: [],
    verification: [],
  };
}

/** The steps that propose decision d_6, which supersedes d_5. */
const replacement = (): Step[] => [
  {
    by: 'agent_a',
    call: 'submit_decision',
    input: {
      topic: 'Unknown outcome',
      position:
        'The order goes to CAPTURE_UNKNOWN after the last try. A sweeper asks the ledger once a minute, on the primary. Two answers of 404 at least a minute apart release the stock; a 200 settles the order. After 15 minutes the order fails and the customer is told by mail.',
      accept: true,
    },
  },
  { by: 'agent_b', call: 'accept_decision', input: { decision_id: 'd_6' } },
];

const reading = (): Step[] => [
  { by: 'owner', call: 'markRead', input: { revision_id: 'r_1', sections: ['all'] } },
  { by: 'owner', call: 'requestChanges', input: { reason: REQUEST, seen: { $: 'head.seq' } } },
];
