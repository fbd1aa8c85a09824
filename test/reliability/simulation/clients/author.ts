import { objectIn, textIn } from '../checks/reading.ts';
import { ask, type Client, touch, write } from './agent.ts';
import type { Call } from './calls.ts';

/** The contract has validation errors, but is stored nevertheless. */
const contract = (title: string): object => ({ title, summary: 'Orders reserve stock.', decisions: [], risks: [] });

const latest = ({ memory }: Client) => objectIn(memory.view, 'latest_revision');

/** Names as parent the last revision that this client saw. Another client may have submitted a newer revision. */
const onParent = (client: Client, reason: string) => ({
  expected_parent_id: textIn(latest(client), 'revision_id'),
  reason,
});

const whole = (client: Client, reason: string): Call['input'] => ({
  contract: contract(`Title ${client.world.prng.below(5)}`),
  ...onParent(client, reason),
});

const patch = ({ world }: Client): readonly object[] => [
  { op: 'add', path: '/title', value: `Title ${world.prng.below(5)}` },
  { op: 'add', path: '/note', value: null },
];

/** All clients nominate the same author, so that the election ends soon. */
export const elect = write('elect_contract_author', (_client, reason) => ({ candidate: 'agent_a', reason }));

export const submit = write('submit_contract', whole);
export const submitAsPosition = write('submit_position', whole);
export const propose = write('propose_revision', whole);
export const amend = write('patch_contract', (client, reason) => ({ ops: patch(client), ...onParent(client, reason) }));

export const review = write('submit_final_review', (client, caveat) => {
  const { revision_id, content_hash } = latest(client);
  if (typeof revision_id !== 'string' || typeof content_hash !== 'string') return undefined;
  const verdict = client.world.prng.pick(['APPROVE', 'REQUEST_CHANGES']);
  return { revision_id, content_hash, verdict, caveats: [caveat] };
});

const anyFinding = ({ world }: Client): string => `f_${1 + world.prng.below(4)}`;

export const find = write('submit_finding', (_client, text) => ({ text }));
export const respond = write('respond_finding', (client, response) => ({
  ...{ finding_id: anyFinding(client), response },
  decision: client.world.prng.pick(['ACCEPT', 'REJECT']),
}));
export const resolve = touch('resolve_finding', (client) => ({ finding_id: anyFinding(client), outcome: 'RESOLVED' }));

export const readPlan = (client: Client): Promise<unknown> => ask(client, { name: 'get_final_plan' });
export const readBlockers = (client: Client): Promise<unknown> => ask(client, { name: 'list_blockers' });
export const revalidate = (client: Client): Promise<unknown> => ask(client, { name: 'revalidate_contract', input: {} });
