/** A small contract that can be certified and verified. It has one requirement, one interface and one test. */
export const CONTRACT = {
  title: 'Refunds',
  summary: 'The shop asks the bank for a refund under an id of its own; the bank pays each id once.',
  scope: { in: ['Refunds of card payments'], out: ['Vouchers'] },
  decisions: ['d_1'],
  interfaces: [
    {
      id: 'if-refunds',
      name: 'Refunds',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: 'Pays a refund. A repeated call gets the same answer.',
      operations: [
        { name: 'POST /refunds', request: 'refund_id, order_id, cents', response: '201, or 200 when paid before' },
      ],
    },
  ],
  data_models: [
    { id: 'refund', name: 'Refund', json_schema: { type: 'object', required: ['refund_id', 'order_id', 'cents'] } },
  ],
  tasks: [
    {
      id: 'shop-ask',
      title: 'Ask for a refund under the refund_id',
      assignee: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['if-refunds'],
      depends_on: ['bank-pay'],
      deliverables: ['src/refunds/ask.ts'],
      done_when: ['A retry sends the same refund_id.'],
    },
    {
      id: 'bank-pay',
      title: 'Pay each refund_id once',
      assignee: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['if-refunds'],
      depends_on: [],
      deliverables: ['internal/refunds/pay.go'],
      done_when: ['A second request with a refund_id books nothing.'],
    },
  ],
  tests: [
    {
      id: 'v-paid-once',
      title: 'Two requests, one refund',
      given: 'A paid order',
      when: 'The shop asks twice for its refund, with the first answer lost',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
      then: 'The ledger has one entry for the refund_id',
      executor: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['if-refunds'],
      depends_on: [],
    },
  ],
  gates: [
    { id: 'g-build', title: 'Agreed', stage: 'build', condition: 'Both are ready to code.' },
    { id: 'g-deployment', title: 'Proven', stage: 'deployment', condition: 'v-paid-once has passed.' },
    { id: 'g-activation', title: 'Watched', stage: 'activation', condition: 'A day without a refund paid twice.' },
  ],
  risks: [
    {
      id: 'risk-1',
      text: 'An old shop sends no refund_id.',
      mitigation: 'The bank refuses it with 422.',
      assignee: 'agent_b',
    },
  ],
  safety_conditions: [{ id: 'safe-1', text: 'No refund is paid twice.', covered_by: ['v-paid-once'] }],
  dependencies: [],
  rollout: { steps: ['bank', 'shop'], rollback: 'The shop stops asking; the bank keeps what it paid.' },
  fixture_version: 'fixtures-1',
  artifacts: [],
};

export const SESSION = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  guardrails: ['Nothing that customers call today breaks.'],
  requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
  fixture_version: 'fixtures-1',
  agents: {
    agent_a: { name: 'Shop agent', repository: 'example/shop', service: 'shop' },
    agent_b: { name: 'Bank agent', repository: 'example/bank', service: 'bank' },
  },
};
