import type { ProfileName } from '../../src/areas/profiles.ts';
import type { Amounts } from '../../src/kernel/limits.ts';
import { EVERYBODY, followed } from './bot.ts';
import { goodContract, hashOf, MAPPINGS, REQUIREMENTS, VARIANTS, type Variant } from './contracts.ts';
import { type Seen, seen } from './seen.ts';
import { type Call, makeAll, openWorld, type Payload, type World } from './world.ts';

/** A world and the calls that led to it. `live-model.test.ts` repeats the calls on a real Parley. */
export interface Story {
  readonly session: { readonly round_limit: number; readonly profile?: ProfileName };
  readonly isStarted: boolean;
  readonly quotas: Partial<Amounts>;
  readonly calls: readonly Call[];
  readonly world: World;
}

export const by = (who: Call['by'], name: string, input: Payload = {}): Call => ({ by: who, name, input });

/** The beginning of a story. */
export const opened = ({ session, isStarted, quotas }: Omit<Story, 'calls' | 'world'>): Story => ({
  session,
  isStarted,
  quotas,
  calls: [],
  world: openWorld({ requirements: REQUIREMENTS, ...session }, isStarted, quotas),
});

export const begin = (round_limit = 3, isStarted = true, quotas: Partial<Amounts> = {}): Story =>
  opened({ session: { round_limit }, isStarted, quotas });

export const tell = (story: Story, ...calls: readonly Call[]): Story => ({
  ...story,
  calls: [...story.calls, ...calls],
  world: makeAll(story.world, calls),
});

/** Makes the call that each role's instruction names, role after role, until the condition is true. */
function follow(story: Story, until: (now: Seen) => boolean): Story {
  let told = story;
  for (let step = 0; step < 200; step += 1) {
    for (const who of EVERYBODY) {
      const now = seen(told.world);
      if (until(now)) return told;
      const call = followed(now, who);
      if (call) told = tell(told, call);
    }
  }
  throw new Error('The story does not get there.');
}

export const nominate = (candidate: string): Call[] => [
  by('agent_a', 'elect_contract_author', { candidate, reason: 'Knows it.' }),
  by('agent_b', 'elect_contract_author', { candidate, reason: 'Knows it.' }),
];

export const propose = (who: Call['by'], topic = 'Store', position = 'PostgreSQL'): Call =>
  by(who, 'submit_decision', { topic, position });

export const accept = (id = 'd_1'): Call[] => [
  by('agent_a', 'accept_decision', { decision_id: id }),
  by('agent_b', 'accept_decision', { decision_id: id }),
];

export const submit = (parent: string, variant: Variant = 'good', decisions: readonly string[] = ['d_1']): Call =>
  by('agent_a', 'submit_contract', {
    contract: VARIANTS[variant](decisions),
    expected_parent_id: parent,
    reason: 'As decided.',
  });

const mapAll = by('agent_a', 'submit_preflight', { mappings: MAPPINGS });

const GOOD_HASH = hashOf(goodContract(['d_1']));

export const review = (who: Call['by'], verdict = 'APPROVE', revision_id = 'r_1', content_hash = GOOD_HASH): Call =>
  by(who, 'submit_final_review', { revision_id, content_hash, verdict });

export const nominated = (who: Call['by'], candidate: string) =>
  by(who, 'elect_contract_author', { candidate, reason: 'Knows it.' });
export const asks = (...targets: readonly string[]) => by('owner', 'ask', { targets, text: 'Why?', blocking: true });
export const directs = (...targets: readonly string[]) => by('owner', 'direct', { targets, text: 'Keep the API.' });
export const finds = (who: Call['by']) => by(who, 'submit_finding', { text: 'No error for an unknown article.' });
export const answers = (who: Call['by'], id = 'f_1') =>
  by(who, 'respond_finding', { finding_id: id, decision: 'REJECT', response: 'It is there.' });
/** Raises a finding as the moderator. If `hold_reason` is given, also requests a hold. */
export const moderates = (hold_reason?: string) =>
  by('moderator', 'submit_moderator_finding', {
    category: 'SAFETY',
    text: 'Nothing undoes a failed release.',
    resolution_criteria: 'A rollback that was tried.',
    ...(hold_reason === undefined ? {} : { request_hold: true, hold_reason }),
  });
export const judges = (verdict: string, revision_id = 'r_1', content_hash = GOOD_HASH) =>
  by('moderator', 'submit_contract_review', { revision_id, content_hash, verdict, summary: 'Read.', dimensions: [] });
export const stopsModerator = by('owner', 'stopModerator');
export const appoints = (candidate: string) => by('owner', 'appointAuthor', { candidate });
export const sendsBack = by('owner', 'requestChanges', { reason: 'Name the error.' });
export const acks = (who: Call['by'], id = 'i_1') => by(who, 'ack_intervention', { intervention_id: id });

export const planning = begin();
export const converged = tell(
  begin(1),
  by('agent_a', 'post_turn', { summary: 'Done.', converged: true }),
  by('agent_b', 'post_turn', { summary: 'Done.', converged: true }),
);
/** agent_a is the author; decision d_1 is RESOLVED. */
export const decided = tell(begin(), propose('agent_a'), ...accept(), ...nominate('agent_a'));
/** The revision r_1 is valid, and every requirement is mapped. */
export const submitted = tell(decided, submit(''), mapAll);
export const certified = tell(submitted, review('agent_a'), review('agent_b'));
export const approved = tell(
  certified,
  by('owner', 'approveContract', { revision_id: 'r_1', content_hash: GOOD_HASH }),
);
const received = follow(approved, (now) =>
  (['agent_a', 'agent_b'] as const).every((role) => now.readiness(role).receipts_missing.length === 0),
);
export const ready = follow(received, (now) => now.view().state.instruction.tool === 'authorize');
export const building = tell(ready, by('owner', 'authorize', { stage: 'build' }));

/** The finding f_1 has a response, but the finding f_2 has none. */
const found = tell(submitted, finds('agent_b'), finds('agent_b'), answers('agent_a'));
const foundLate = tell(building, finds('agent_b'));
export const split = tell(
  planning,
  nominated('agent_a', 'agent_a'),
  nominated('agent_b', 'agent_b'),
  propose('agent_a'),
);
const returned = tell(ready, sendsBack);

/** The author has completed the action to respond to the finding f_1, but has not responded. */
const ticked = tell(
  tell(received, finds('agent_b')),
  ...seen(tell(received, finds('agent_b')).world)
    .state('agent_a')
    .pending_actions.filter(({ type }) => type === 'RESPOND_FINDING')
    .map(({ action_id }) => by('agent_a', 'complete_action', { action_id })),
);

const asksBoth = by('moderator', 'ask_agent', { text: 'Who undoes it?', blocking: true });
const says = (who: Call['by'], id: string) => by(who, 'answer_intervention', { intervention_id: id, text: 'We do.' });
const holds = (finding_id: string) => by('moderator', 'request_hold', { finding_id, reason: 'Not yet.' });

/** `held`: a hold on a certified contract. `heldLoosely`: a hold on a non-blocking finding of a builder. */
const held = tell(certified, moderates('Not without a rollback.'));
const heldLoosely = tell(
  tell(certified, by('agent_b', 'submit_finding', { text: 'A word is odd.', blocking: false })),
  answers('agent_a'),
  holds('f_1'),
);
const heldLate = tell(ready, moderates('Not without a rollback.'), answers('agent_a'));
/**
 * `objected`: a binding request for changes. `silenced`: the same request, which is not binding because the moderator is stopped.
 */
const objected = tell(certified, judges('REQUEST_CHANGES'));
const silenced = tell(objected, stopsModerator);
const overridden = tell(objected, by('owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }));
/** The moderator has to check three answers: one to its question, and two to its findings. */
const answered = tell(
  submitted,
  asksBoth,
  says('agent_a', 'i_1'),
  moderates(),
  moderates('Not without a rollback.'),
  answers('agent_a', 'f_1'),
  answers('agent_a', 'f_2'),
);
/** The moderator has acknowledged every event and completed its actions, but has fulfilled no obligation. */
const shirked = tickedOff(tell(submitted, moderates(), answers('agent_a')));

function tickedOff(story: Story): Story {
  const due = seen(story.world)
    .view()
    .actions.filter(({ due_to, status }) => due_to === 'moderator' && status === 'PENDING');
  const told = tell(story, ...due.map(({ action_id }) => by('moderator', 'complete_action', { action_id })));
  const moderator = seen(told.world).moderator();
  const cursor = moderator.refused === null ? moderator.page.head : 0;
  return tell(told, by('moderator', 'ack_events', { cursor }));
}

const advised = tell(planning, by('moderator', 'recommend_to_owner', { recommendation: 'PAUSE', text: 'Look again.' }));

/** agent_a has the turn. It has acknowledged a directive and a task of the owner, but has finished neither. */
const acknowledged = tell(
  begin(3),
  by('owner', 'direct', { targets: ['agent_a'], text: 'Keep the API.' }),
  by('agent_a', 'ack_intervention', { intervention_id: 'i_1' }),
  by('owner', 'assignAction', { target: 'agent_a', text: 'Write the changelog.' }),
  by('agent_a', 'ack_action', { action_id: 'act_2' }),
);

/** Stories whose calls have the same effect in both profiles. */
const ALIKE: Readonly<Record<string, Story>> = {
  drafted: begin(2, false),
  planning,
  acknowledged,
  converged,
  split,
  decided,
  submitted,
  found,
  certified,
  approved,
  held,
  heldLoosely,
  objected,
  silenced,
  overridden,
  answered,
  shirked,
  advised,
};

const inLight = ({ calls, ...story }: Story): Story =>
  tell(opened({ ...story, session: { ...story.session, profile: 'light' } }), ...calls);

const lightBuilding = tell(
  inLight(certified),
  by('owner', 'approveContract', { revision_id: 'r_1', content_hash: GOOD_HASH, authorize_build: true }),
);

/** The same in light sessions, and their builds. */
const LIGHT: Readonly<Record<string, Story>> = {
  ...Object.fromEntries(Object.entries(ALIKE).map(([name, story]) => [`light ${name}`, inLight(story)])),
  lightBuilding,
  lightFoundLate: tell(lightBuilding, finds('agent_b')),
  lightReturned: tell(lightBuilding, sendsBack),
  lightHeldLate: tell(inLight(approved), moderates('Not without a rollback.'), answers('agent_a')),
};

/** The states from which generated sequences start. */
export const STARTS: Readonly<Record<string, Story>> = {
  ...ALIKE,
  ...LIGHT,
  received,
  ready,
  foundLate,
  ticked,
  returned,
  heldLate,
};

/** Replays a story with a smaller quota of events, so that the role with the most events has `left` events left. */
function nearlySpent({ session, isStarted, calls, world }: Story, left: number): Story {
  const used = seen(world)
    .view()
    .quotas.flatMap((one) => (one.quota === 'events' ? [one.used] : []));
  return tell(opened({ session, isStarted, quotas: { events: Math.max(...used) + left } }), ...calls);
}

const raised = (role: string, quota: string) => by('owner', 'raiseQuota', { role, quota });
const EVERY_RAISE = ['agent_a', 'agent_b', 'moderator'].flatMap((role) =>
  [1, 2, 3].flatMap(() => ['bytes', 'events', 'revisions', 'findings'].map((quota) => raised(role, quota))),
);

const withQuotas = ({ session, calls }: Story, quotas: Partial<Amounts>): Story =>
  tell(opened({ session, isStarted: true, quotas }), ...calls);

/** Starting states whose quotas are used up within a few calls. */
export const TIGHT: Readonly<Record<string, Story>> = {
  planningInEvents: begin(3, true, { events: 5 }),
  planningInBytes: begin(3, true, { bytes: 4_000 }),
  decidedInRevisions: withQuotas(decided, { revisions: 1, findings: 1 }),
  submittedInRevisions: withQuotas(submitted, { revisions: 1, findings: 1 }),
  raisedToTheMost: tell(withQuotas(decided, { revisions: 1, findings: 1, events: 12 }), ...EVERY_RAISE),
  submittedAtTheEnd: nearlySpent(submitted, 2),
  heldAtTheEnd: nearlySpent(held, 1),
  objectedAtTheEnd: nearlySpent(objected, 1),
  answeredAtTheEnd: nearlySpent(answered, 2),
  receivedAtTheEnd: nearlySpent(received, 1),
};
