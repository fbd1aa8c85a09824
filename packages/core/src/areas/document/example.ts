import { type JsonSchema, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { CONTRACT_SCHEMA_VERSION, Contract } from './contract.ts';

/**
 * A small contract for the documentation and for tests: two services that capture a payment exactly once. Breaks no
 * validation rule.
 */
export const EXAMPLE_CONTRACT: Contract = {
  schema_version: CONTRACT_SCHEMA_VERSION,
  title: 'A payment is captured exactly once',
  summary: 'The shop (agent_a) sends each capture with a key; the ledger (agent_b) books one entry for each key.',
  scope: { in: ['Captures of card payments'], out: ['Refunds'] },
  decisions: ['d_1', 'd_3'],
  interfaces: [
    {
      id: 'captures',
      name: 'Captures of the ledger',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a', 'external:support desk'],
      description: 'One key stands for one capture, however often it comes.',
      operations: [
        {
          name: 'POST /v1/captures',
          request: { headers: { 'Idempotency-Key': 'the order id' }, body: { order_id: 'o-1', cents: 4990 } },
          response: '201 with the data model capture; 200 with the same capture when the key is repeated.',
          errors: [{ status: 503, code: 'LEDGER_BUSY', meaning: 'Nothing was booked. Try again.' }, '409 KEY_REUSED'],
        },
      ],
    },
  ],
  data_models: [
    {
      id: 'capture',
      name: 'Capture',
      json_schema: {
        type: 'object',
        properties: { order_id: { type: 'string' }, cents: { type: 'integer', minimum: 1 } },
        required: ['order_id', 'cents'],
      },
    },
  ],
  tasks: [
    {
      id: 'task-book',
      title: 'Book each key once',
      assignee: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['captures'],
      depends_on: [],
      deliverables: ['Route POST /v1/captures', 'Migration with a unique index'],
      done_when: ['Two calls at once with one key leave one entry.'],
    },
    {
      id: 'task-send',
      title: 'Send every try with the same key',
      assignee: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['captures'],
      depends_on: ['task-book'],
      deliverables: ['Capture client of the checkout'],
      done_when: ['All tries of an order carry its id, also after restarts.'],
    },
  ],
  tests: [
    {
      id: 'test-retry',
      title: 'A lost answer does not charge twice',
      given: 'Order o-1 of captures.fixture.json; the ledger drops its first answer.',
      when: 'The shop tries the capture until it gets an answer.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: 'The ledger holds one entry for o-1.',
      executor: 'agent_a',
      responsible: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['captures'],
      depends_on: [],
      evidence_policy: {
        per_agent_kinds: { agent_a: ['http_exchange'], agent_b: ['log'] },
        min_items: 1,
        correlated: true,
        carry: 'owner',
      },
    },
    {
      id: 'test-restart',
      title: 'A restart books nothing',
      given: 'The entry of test-retry.',
      when: 'The ledger restarts.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: 'The ledger still holds one entry for o-1.',
      executor: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['captures'],
      depends_on: ['test-retry'],
      evidence_policy: {
        level: 'recorded',
        per_agent_tests: { agent_a: ['shows one charge'], agent_b: ['restart > books nothing'] },
      },
    },
  ],
  gates: [
    { id: 'gate-build', title: 'Build', stage: 'build', condition: 'Both have loaded captures.fixture.json.' },
    {
      id: 'gate-deploy',
      title: 'Deploy',
      stage: 'deployment',
      condition: 'Every test has passed.',
      run: { by: 'agent_a', command: 'npm test', tests: ['books once'] },
    },
    {
      id: 'gate-activate',
      title: 'Activate',
      stage: 'activation',
      condition: 'In one hour of staging, no order is booked twice.',
      evidence: 'The report of double entries.',
    },
  ],
  risks: [
    {
      id: 'risk-late',
      text: 'The card provider answers after the shop gave up.',
      mitigation: 'The ledger keeps the key before it calls the card provider.',
      assignee: 'agent_b',
    },
  ],
  safety_conditions: [{ id: 'safe-append', text: 'An entry is never edited.', covered_by: ['task-book'] }],
  dependencies: [{ name: 'PostgreSQL', version: '15', assignee: 'agent_b', why: 'A unique index on the key.' }],
  rollout: {
    steps: ['agent_b deploys; calls without a key still work.', 'agent_a deploys and sends the key.'],
    rollback: 'Each side rolls back alone.',
  },
  fixture_version: 'capture-2026-11',
  artifacts: [
    {
      filename: 'captures.fixture.json',
      media_type: 'application/json',
      audience: 'both',
      content: '{"orders":[{"order_id":"o-1","cents":4990}]}',
    },
  ],
};

/** The JSON Schema of a contract. It accepts exactly the contracts that the zod schema {@link Contract} accepts. */
export const CONTRACT_JSON_SCHEMA: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Contract between two builders',
  description: 'Who builds what, how the two sides communicate, and how both services are tested.',
  ...publishedSchema(Contract),
};
