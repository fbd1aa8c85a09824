import type { Contract } from '../../src/areas/document/contract.ts';
import { canonicalHash } from '../../src/kernel/text/hash.ts';

/** The task of the builder that consumes the interface. */
export const ORDERS_TASK: Contract['tasks'][number] = {
  id: 'task-orders',
  title: 'Reserve before paying',
  assignee: 'agent_a',
  requirements: ['R1'],
  interfaces: ['reservations'],
  depends_on: ['task-stock'],
  deliverables: ['The checkout of orders-api calls POST /reservations.'],
  done_when: ['An order without stock is refused before its payment.'],
};

/** A small contract. It is valid in the session that `given` creates if the decision d_1 is RESOLVED. */
export const SAMPLE_CONTRACT: Contract = {
  title: 'Orders reserve stock',
  summary: 'orders-api reserves stock at stock-api before a payment; a reservation ends after 15 minutes.',
  scope: { in: ['Reserving stock for an order.'], out: ['Payments.'] },
  decisions: ['d_1'],
  interfaces: [
    {
      id: 'reservations',
      name: 'Reservations',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a'],
      description: 'Reserves units of one article for one order.',
      operations: [
        {
          name: 'POST /reservations',
          request: { order_id: 'o-1', article: 'a-1', units: 2 },
          response: { reservation_id: 'v-1', ends_at: '2026-01-05T09:15:00Z' },
          errors: ['409 out of stock'],
        },
      ],
    },
  ],
  data_models: [
    {
      id: 'reservation',
      name: 'Reservation',
      json_schema: { type: 'object', required: ['reservation_id', 'ends_at'] },
    },
  ],
  tasks: [
    {
      id: 'task-stock',
      title: 'Serve reservations that end by themselves',
      assignee: 'agent_b',
      requirements: ['R1', 'R2'],
      interfaces: ['reservations'],
      depends_on: [],
      deliverables: ['POST /reservations in stock-api'],
      done_when: ['The cases of reservation-cases.json pass in stock-api.'],
    },
    ORDERS_TASK,
  ],
  tests: [
    {
      id: 'test-reserve',
      title: 'An order reserves stock',
      given: 'Two units of a-1 in stock',
      when: 'an order of two units is placed',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
      then: 'stock-api holds a reservation of two units for it',
      executor: 'agent_a',
      requirements: ['R1'],
      interfaces: ['reservations'],
      depends_on: [],
    },
    {
      id: 'test-expiry',
      title: 'A reservation ends',
      given: 'A reservation that is 15 minutes old',
      when: 'another order asks for the same units',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
      then: 'they are reserved for the other order',
      executor: 'agent_b',
      requirements: ['R2'],
      interfaces: ['reservations'],
      depends_on: ['test-reserve'],
    },
  ],
  gates: [
    { id: 'gate-build', title: 'Ready to build', stage: 'build', condition: 'Both agents are ready to code.' },
    { id: 'gate-deploy', title: 'Proven', stage: 'deployment', condition: 'Both tests have passed.' },
    { id: 'gate-activate', title: 'Watched', stage: 'activation', condition: 'One hour without a failed reservation.' },
  ],
  risks: [
    {
      id: 'risk-clock',
      text: 'The two clocks differ.',
      mitigation: 'stock-api alone measures time.',
      assignee: 'agent_b',
    },
  ],
  safety_conditions: [{ id: 'safe-oversell', text: 'No unit is reserved twice.', covered_by: ['test-expiry'] }],
  dependencies: [{ name: 'PostgreSQL', version: '15', assignee: 'agent_b', why: 'Row locks on the stock.' }],
  rollout: {
    steps: ['Deploy stock-api.', 'Deploy orders-api.'],
    rollback: 'orders-api skips the reservation by a flag.',
  },
  fixture_version: '1',
  artifacts: [
    {
      filename: 'reservation-cases.json',
      media_type: 'application/json',
      audience: 'agent_b',
      content: '[{"article":"a-1","units":2}]',
    },
  ],
};

export const SAMPLE_HASH = canonicalHash(SAMPLE_CONTRACT);

export const changed = (members: Partial<Contract>): Contract => ({ ...SAMPLE_CONTRACT, ...members });

/** One mapping for each requirement of the session that `given` creates. */
export const SAMPLE_MAPPINGS = [
  { requirement_id: 'R1', tasks: ['task-stock', 'task-orders'], tests: ['test-reserve'] },
  { requirement_id: 'R2', decisions: ['d_1'], tests: ['test-expiry'] },
];

const unnamed = <T extends object>(part: T) => ({ ...part, requirements: [] });

/** The contract without the names of requirements, so that a preflight has to map them. */
export const UNNAMED = changed({
  tasks: SAMPLE_CONTRACT.tasks.map(unnamed),
  tests: SAMPLE_CONTRACT.tests.map(unnamed),
});
