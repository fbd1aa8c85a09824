import type { OpenedSession } from '@parley/core/testing';

const bearing = { requirements: ['R1', 'R2'], interfaces: ['stock'], depends_on: [] };
const done = { deliverables: ['Its part.'], done_when: ['It is seen.'] };

const CONTRACT = {
  title: 'Orders reserve stock',
  summary: 'Orders reserve stock before they are paid.',
  scope: { in: ['Reserving.'], out: [] },
  decisions: [],
  interfaces: [
    {
      id: 'stock',
      name: 'Stock',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: 'Reserves units.',
      operations: [{ name: 'POST /reservations' }],
    },
  ],
  data_models: [],
  tasks: [
    { id: 'task-orders', title: 'Orders', assignee: 'agent_a', ...bearing, ...done },
    { id: 'task-stock', title: 'Stock', assignee: 'agent_b', ...bearing, ...done },
  ],
  tests: [
    {
      id: 'test-stock',
      title: 'Stock is reserved',
      given: 'Two units',
      when: 'one is ordered',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
      then: 'one is left',
      executor: 'agent_a',
      ...bearing,
    },
  ],
  gates: [],
  risks: [],
  safety_conditions: [],
  dependencies: [],
  rollout: { steps: ['Deploy.'], rollback: 'Deploy the last one.' },
  fixture_version: '1',
  artifacts: [],
};

/** Submits the revision r_1 and its preflight, but no reviews. */
async function submitContract({ agentA, agentB }: OpenedSession): Promise<void> {
  for (const agent of [agentA, agentB])
    await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' });
  await agentA.call('submit_contract', { contract: CONTRACT, expected_parent_id: '', reason: 'As planned.' });
  const mappings = ['R1', 'R2'].map((requirement_id) => ({ requirement_id, tests: ['test-stock'] }));
  await agentA.call('submit_preflight', { mappings });
}

export async function review(
  { agentA, agentB }: OpenedSession,
  by: 'agent_a' | 'agent_b',
  verdict: 'APPROVE' | 'REQUEST_CHANGES' = 'APPROVE',
): Promise<void> {
  const agent = by === 'agent_a' ? agentA : agentB;
  const { revision_id, content_hash } = await agent.call('get_final_plan', {});
  if (!revision_id || !content_hash) throw new Error('No revision was stored.');
  await agent.call('submit_final_review', { revision_id, content_hash, verdict });
}

/** Submits the revision r_1, which both builders approve, so that it is certified. */
export async function certify(session: OpenedSession): Promise<void> {
  await submitContract(session);
  await review(session, 'agent_a');
  await review(session, 'agent_b');
}
