export const REQUIREMENTS = [
  {
    requirement_id: 'req-1',
    text: 'A payment is captured once.',
    acceptance_criteria: ['A repeated key captures nothing.'],
  },
  { requirement_id: 'req-2', text: 'A lost answer is settled.' },
];

const SENTENCE =
  'The ledger keeps the key before it calls the provider, reports the outcome within 15 minutes, and answers a repeated key with the stored capture, as d_1 says. ';
const COUNT = 20;

const each = <T>(make: (index: number) => T, count = COUNT): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const earlier = (name: string, index: number): string[] => (index % 4 === 0 ? [] : [`${name}-${index - 1}`]);

const taskAt = (index: number) => ({
  id: `task-${index}`,
  title: `Work package ${index}`,
  assignee: index % 2 === 0 ? 'agent_a' : 'agent_b',
  requirements: ['req-1'],
  interfaces: [`if-${index % 10}`],
  depends_on: earlier('task', index),
  deliverables: [SENTENCE, 'Tests of it'],
  done_when: [SENTENCE.repeat(2)],
});

const testAt = (index: number) => ({
  id: `test-${index}`,
  title: `Trial ${index}`,
  given: SENTENCE,
  when: SENTENCE,
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
  then: SENTENCE.repeat(2),
  executor: 'agent_a',
  requirements: ['req-1', 'req-2'],
  interfaces: [`if-${index % 10}`],
  depends_on: earlier('test', index),
});

/** A valid contract of more than 44,000 characters. */
export const largeContract = () => ({
  title: 'A payment is captured exactly once',
  summary: 'The ledger books a payment **exactly once**; d_1 and if-3 say how.',
  scope: { in: ['Captures'], out: ['Refunds'] },
  decisions: ['d_1'],
  interfaces: each(
    (index) => ({
      id: `if-${index}`,
      name: `Captures ${index}`,
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: SENTENCE.repeat(7),
      operations: [
        {
          name: `POST /v1/captures/${index}`,
          request: { body: { order_id: 'o-1001' } },
          response: '201 with the capture.',
          errors: [{ status: 503, code: 'LEDGER_BUSY', meaning: 'Nothing was booked. Try again.' }, '409 KEY_REUSED'],
        },
      ],
    }),
    10,
  ),
  data_models: [
    {
      id: 'model-capture',
      name: 'Capture',
      json_schema: {
        type: 'object',
        properties: {
          order_id: { type: 'string', description: 'The key.' },
          amount: { type: 'object', required: ['currency'], properties: { currency: { const: 'EUR' } } },
        },
      },
    },
  ],
  tasks: each(taskAt),
  tests: each(testAt),
  gates: (['build', 'deployment', 'activation'] as const).map((stage) => ({
    id: `gate-${stage}`,
    title: `Ready for ${stage}`,
    stage,
    condition: SENTENCE,
  })),
  risks: [{ id: 'risk-1', text: 'The provider is late.', mitigation: SENTENCE, assignee: 'agent_b' }],
  safety_conditions: [{ id: 'safe-1', text: 'Nobody replays a capture.', covered_by: ['test-1'] }],
  dependencies: [{ name: 'PostgreSQL', version: '15', assignee: 'agent_b', why: 'A unique index.' }],
  rollout: { steps: ['agent_b deploys.', 'agent_a deploys.'], rollback: 'agent_a goes back first.' },
  fixture_version: '1',
  artifacts: [
    { filename: 'orders.csv', media_type: 'text/csv', audience: 'both', content: 'o-1001;4990;EUR\n' },
    {
      filename: 'runbook.md',
      media_type: 'text/markdown',
      audience: 'agent_b',
      content: '# Runbook\n\nCall the ledger.',
    },
  ],
});
