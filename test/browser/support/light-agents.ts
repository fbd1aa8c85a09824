import type { CallTool } from '@parley/missions';

/** The tools of both builders of a session that was created from the template `api-change`. */
export interface Builders {
  readonly agent_a: CallTool;
  readonly agent_b: CallTool;
}

const TOPICS = [
  'Request, response and permission',
  'Errors, repeats and timeouts',
  'Compatibility and removal',
  'Order of the rollout',
];
const REQUIREMENTS = ['req-new', 'req-compatible', 'req-failure'];
const COMMITS = { agent_a: 'a1'.repeat(20), agent_b: 'b2'.repeat(20) };

const taskOf = (assignee: 'agent_a' | 'agent_b', title: string, depends_on: readonly string[]) => ({
  ...{ id: `task-${assignee.slice(-1)}`, title, assignee, depends_on },
  ...{ requirements: REQUIREMENTS, interfaces: ['refunds'], deliverables: [title], done_when: ['Its tests pass.'] },
});

const testOf = (id: string, executor: 'agent_a' | 'agent_b', requirement: string, title: string) => ({
  ...{ id, title, executor, requirements: [requirement], interfaces: ['refunds'], depends_on: [] },
  ...{ given: 'Both services run on staging.', when: 'The caller refunds order o-1.' },
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
  then: 'The refund is booked once.',
});

/** The sections that a contract of the profile light needs. */
const CONTRACT = {
  title: 'Refunds answer with the id of the refund',
  summary: 'POST /refunds answers 201 with refund_id; a repeated key answers the same refund.',
  decisions: TOPICS.map((_, index) => `d_${index + 1}`),
  interfaces: [
    {
      ...{ id: 'refunds', name: 'Refunds', kind: 'http', provider: 'agent_a', consumers: ['agent_b'] },
      description: 'Refunds one order once.',
      operations: [
        {
          name: 'POST /refunds',
          request: { order_id: 'o-1' },
          response: { refund_id: 'f-1' },
          errors: ['409 refunded already', '422 the order is not known'],
        },
      ],
    },
  ],
  tasks: [taskOf('agent_a', 'Answer with refund_id', []), taskOf('agent_b', 'Store refund_id', ['task-a'])],
  tests: [
    testOf('test-new-call', 'agent_b', 'req-new', 'A refund gets its id'),
    testOf('test-mixed-versions', 'agent_b', 'req-compatible', 'Old and new versions work together'),
    testOf('test-repeat', 'agent_a', 'req-failure', 'A repeated refund is booked once'),
  ],
};

/** Plays the session up to a contract that both builders have approved. */
export async function agree({ agent_a, agent_b }: Builders): Promise<void> {
  for (const topic of TOPICS)
    await agent_a('submit_decision', { topic, position: `${topic}: as today.`, accept: true });
  for (const decision_id of CONTRACT.decisions) await agent_b('accept_decision', { decision_id });
  for (const agent of [agent_a, agent_b])
    await agent('elect_contract_author', { candidate: 'agent_a', reason: 'It provides the API.' });
  const { revision_id, content_hash } = await agent_a('submit_contract', {
    contract: CONTRACT,
    expected_parent_id: '',
    reason: 'As decided.',
  });
  for (const agent of [agent_a, agent_b])
    await agent('submit_final_review', { revision_id, content_hash, verdict: 'APPROVE' });
}

/** Plays the build, in which every scenario passes: `test-repeat` with a recorded run, the others with claims. */
export async function build(builders: Builders): Promise<void> {
  for (const by of ['agent_a', 'agent_b'] as const)
    await builders[by]('verify_handshake', {
      ...{ service: by === 'agent_a' ? 'refunds' : 'shop', version: '1.0.0', commit: COMMITS[by] },
      ...{ environment: 'staging', ready: true, dependencies_healthy: true },
    });
  for (const { id: scenario_id, executor } of CONTRACT.tests) {
    const item = (by: 'agent_a' | 'agent_b') => ({
      // The kinds that the scenarios of the template demand.
      kind: by === 'agent_a' ? 'log' : 'http_exchange',
      ...{ claim: 'It holds.', summary: 'One refund was booked.', request_id: `o-${scenario_id}` },
      ...(scenario_id === 'test-repeat' && {
        run: { argv: ['npm', 'test'], exit_code: 0, duration_ms: 900, commit: COMMITS[by], dirty: false },
      }),
    });
    const judge = executor === 'agent_a' ? 'agent_b' : 'agent_a';
    const { attempt } = await builders[executor]('verify_start_attempt', { scenario_id, evidence: [item(executor)] });
    await builders[judge]('verify_verify', { scenario_id, attempt, verdict: 'PASS', evidence: [item(judge)] });
  }
}
