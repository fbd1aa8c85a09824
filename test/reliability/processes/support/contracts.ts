import { createHash } from 'node:crypto';
import type { Json } from '@parley/missions';
import { type Ask, ask } from './ask.ts';
import type { Scene, Seats } from './scene.ts';

const member = (id: string, more: Json): Json => ({ id, title: id, ...more });
const gate = (stage: string): Json => member(`gate-${stage}`, { stage, condition: 'Its test passes.' });
const bearing = { requirements: ['req-1'], interfaces: ['levels'], depends_on: [] };

const task = (id: string, assignee: string): Json =>
  member(id, { ...bearing, assignee, deliverables: ['Its part.'], done_when: ['It is seen.'] });

export const contractOf = (title: string, more: Json = {}): Json => ({
  ...{ title, summary: 'The shop shows what the warehouse holds.', scope: { in: ['Levels.'], out: [] }, decisions: [] },
  interfaces: [
    {
      ...{ id: 'levels', name: 'Levels', kind: 'http', provider: 'agent_b', consumers: ['agent_a'] },
      ...{ description: 'Says what is held.', operations: [{ name: 'GET /levels', response: { held: 3 } }] },
    },
  ],
  ...{ data_models: [], tasks: [task('task-shop', 'agent_a'), task('task-warehouse', 'agent_b')] },
  tests: [
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
    member('test-level', { ...bearing, given: 'three', when: 'one goes', then: 'two are shown', executor: 'agent_a' }),
  ],
  ...{ gates: [gate('build'), gate('deployment'), gate('activation')], risks: [], safety_conditions: [] },
  ...{ dependencies: [], rollout: { steps: ['Deploy.'], rollback: 'Deploy the last one.' }, artifacts: [] },
  ...{ fixture_version: 'stock-1', ...more },
});

export const MAPPINGS = [{ requirement_id: 'req-1', tasks: ['task-shop'], tests: ['test-level'] }];

/** RFC 8785 form of strings, integers, arrays and objects. The contracts of these tests contain no other values. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join(',')}}`;
}

export const hashOf = (contract: unknown): string => createHash('sha256').update(canonicalText(contract)).digest('hex');

/** Creates a session in which agent_a is the Contract Author and has submitted r_1 with its preflight. */
export async function seatWithContract(
  scene: Scene,
  host: Ask['host'],
  first: Json,
  more: Parameters<Scene['seat']>[0] = {},
): Promise<Seats> {
  const seats = await scene.seat(more);
  const { agent_a, agent_b } = seats;
  const nomination = { candidate: 'agent_a', reason: 'Knows the shop.' };
  for (const seat of [agent_a, agent_b])
    await demand({ host, seat, route: 'POST contract-election', body: nomination });
  const body = { contract: first, expected_parent_id: '', reason: 'The first.' };
  await demand({ host, seat: agent_a, route: 'POST contract', body });
  await demand({ host, seat: agent_a, route: 'POST preflight', body: { mappings: MAPPINGS } });
  return seats;
}

/** Creates a session whose r_1 both builders approve. Returns its id, and what an approval of r_1 names. */
export async function seatCertified(scene: Scene, host: Ask['host'], more: Parameters<Scene['seat']>[0] = {}) {
  const contract = contractOf('r_1');
  const seats = await seatWithContract(scene, host, contract, more);
  const exactly = { revision_id: 'r_1', content_hash: hashOf(contract) };
  for (const seat of [seats.agent_b, seats.agent_a])
    await demand({ host, seat, route: 'POST final-review', body: { ...exactly, verdict: 'APPROVE' } });
  return { sessionId: seats.agent_a.sessionId, exactly };
}

/** Returns the body of the answer. Throws if the status is not 200. */
export async function demand(asked: Ask): Promise<Json> {
  const { status, text, body } = await ask(asked);
  if (status !== 200) throw new Error(`${asked.route}: ${status} ${text}`);
  return body;
}
