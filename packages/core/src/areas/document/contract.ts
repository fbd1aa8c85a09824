import { z } from 'zod';
import { documented, type JsonSchema, namedObject, publishedSchema } from '../../kernel/operation/json-schema.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { CHOSEN_ID } from '../../kernel/text/readable.ts';
import { BuilderRole, ChosenId, EVIDENCE_LEVELS } from '../fields.ts';

/** Version of the contract's schema. Raise it when the schema changes. */
export const CONTRACT_SCHEMA_VERSION = '1';
const INTERFACE_KINDS = ['http', 'event', 'library', 'cli', 'data', 'ui'] as const;
export const GATE_STAGES = ['build', 'deployment', 'activation'] as const;
export const GateStage = z.enum(GATE_STAGES).register(documented, { id: 'GateStage' });
/** Who may carry a pass of a test over to another commit. With `other_agent` the owner may too. */
const CARRIERS = ['owner', 'other_agent'] as const;
const AUDIENCES = ['agent_a', 'agent_b', 'both'] as const;
export const EVIDENCE_KINDS = [
  'http_exchange',
  'log',
  'test_report',
  'trace',
  'screenshot',
  'metric',
  'manual',
] as const;

// Use only constraints that JSON Schema can express, because the published JSON Schema must accept exactly the
// contracts that the zod schema below accepts.
const Text = z.string().regex(/\S/, 'Must not be empty.');
const Id = ChosenId.describe('1 to 60 letters, digits, "_", "." or "-".').register(documented, { id: 'ContractId' });
const Ref = z.string().regex(CHOSEN_ID, 'Must be an id.').register(documented, { id: 'ContractRef' });
const Builder = z.enum(BUILDERS);
const Texts = z.array(Text);

const Operation = z.strictObject({
  name: Text.describe('As called: POST /v1/captures, payment.captured, sync --since.'),
  request: z.unknown().optional().describe('The request: a JSON Schema, an example or a sentence.'),
  response: z.unknown().optional().describe('The response.'),
  errors: z
    .array(z.union([Text, z.record(z.string(), z.unknown())]))
    .optional()
    .describe('Each error, as a line or an object.'),
});

const Interface = namedObject('ContractInterface', {
  id: Id,
  name: Text,
  kind: z.enum(INTERFACE_KINDS),
  provider: Builder.describe('Who provides it.'),
  consumers: z
    .array(z.string().regex(/^(agent_a|agent_b|external: *\S.*)$/, 'Must be agent_a, agent_b or external:<name>.'))
    .describe('Who uses it.'),
  description: Text,
  operations: z.array(Operation),
});

const DataModel = namedObject('ContractDataModel', {
  id: Id,
  name: Text,
  json_schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]).describe('A JSON Schema.'),
});

const Task = namedObject('ContractTask', {
  id: Id,
  title: Text,
  assignee: Builder,
  requirements: z.array(Ref).describe('requirement_ids that the task serves.'),
  interfaces: z.array(Ref).describe('Ids of interfaces that the task builds or uses.'),
  depends_on: z.array(Ref).describe('Ids of tasks that must be done first.'),
  deliverables: Texts.describe('What the task produces.'),
  done_when: Texts.describe('What shows that it is done.'),
});

export const EvidencePolicy = namedObject('EvidencePolicy', {
  per_agent_kinds: z
    .strictObject({
      agent_a: z.array(z.enum(EVIDENCE_KINDS)).optional(),
      agent_b: z.array(z.enum(EVIDENCE_KINDS)).optional(),
    })
    .optional()
    .describe(
      'Kinds each builder must give; manual if it cannot observe the system. One not named gives min_items of any kind.',
    ),
  min_items: z.int().min(1).max(20).optional().describe('Minimum number of items of each agent.'),
  correlated: z.boolean().optional().describe('Both sides must show the same request_id.'),
  level: z.enum(EVIDENCE_LEVELS).optional().describe('Lowest that counts.'),
  per_agent_tests: z
    .strictObject({ agent_a: Texts.max(50).optional(), agent_b: Texts.max(50).optional() })
    .optional()
    .describe('Tests (name, or suite > name) that a report of a run must show passed.'),
  carry: z.enum(CARRIERS).optional().describe('Who may carry passes over.'),
});

const Test = namedObject('ContractTest', {
  id: Id,
  title: Text,
  given: Text,
  when: Text,
  // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
  then: Text,
  executor: Builder.describe('Who runs it.'),
  responsible: Builder.optional().describe('Who fixes defects of the test; default: provider of its first interface.'),
  requirements: z.array(Ref),
  interfaces: z.array(Ref),
  depends_on: z.array(Ref).describe('Ids of tests that must pass first.'),
  evidence_policy: EvidencePolicy.optional(),
});

/** The run of a command that meets a gate. */
export const GateRun = namedObject('GateRun', {
  by: Builder,
  command: Text.optional(),
  tests: Texts.max(50).optional(),
});

const Gate = namedObject('ContractGate', {
  id: Id,
  title: Text,
  stage: GateStage,
  condition: Text,
  evidence: Text.optional(),
  run: GateRun.optional().describe('Met by parley verify run --gate.'),
});

const Risk = namedObject('ContractRisk', { id: Id, text: Text, mitigation: Text, assignee: Builder });

const SafetyCondition = namedObject('ContractSafetyCondition', {
  id: Id,
  text: Text,
  covered_by: z.array(Ref).describe('Ids of what enforces it.'),
});

const Dependency = namedObject('ContractDependency', {
  name: Text,
  version: Text.optional(),
  assignee: Builder,
  why: Text,
});

const Artifact = namedObject('ContractArtifact', {
  filename: Text.describe('A plain file name, no folders.'),
  media_type: Text,
  audience: z.enum(AUDIENCES).describe('Who must fetch and confirm it.'),
  content: z.string(),
});

const Scope = namedObject('ContractScope', { in: Texts, out: Texts });

const Rollout = namedObject('ContractRollout', { steps: Texts, rollback: Text });

/**
 * The contract that the two builders agree on. This schema checks members and types; the validation rules check
 * everything else.
 */
export const Contract = namedObject('Contract', {
  schema_version: z.literal(CONTRACT_SCHEMA_VERSION).optional(),
  title: Text,
  summary: Text.describe('What is agreed, in a few sentences.'),
  scope: Scope.describe('What is included, and what is not.'),
  decisions: z.array(Ref).describe('decision_ids of every RESOLVED decision.'),
  interfaces: z.array(Interface).describe('Everything that one side provides and the other uses.'),
  data_models: z.array(DataModel).describe('The data that interfaces exchange.'),
  tasks: z.array(Task).describe('Who builds what.'),
  tests: z.array(Test).describe('Tests that run over both services.'),
  gates: z.array(Gate).describe('What must hold before the owner authorizes a stage; at least one gate per stage.'),
  risks: z.array(Risk),
  safety_conditions: z.array(SafetyCondition).describe('What must never happen.'),
  dependencies: z.array(Dependency).describe('What both sides use and neither builds.'),
  rollout: Rollout.describe('Deployment order.'),
  fixture_version: Text.describe("The session's fixture_version."),
  artifacts: z.array(Artifact).max(50).describe('Files to freeze with the contract.'),
});

const OPTIONAL = {
  scope: true,
  data_models: true,
  gates: true,
  risks: true,
  safety_conditions: true,
  dependencies: true,
  rollout: true,
  fixture_version: true,
  artifacts: true,
} as const;

/** The name of a section that a profile may let the author leave out. */
export const OptionalSection = Contract.pick(OPTIONAL).keyof();
export type OptionalSection = z.output<typeof OptionalSection>;

/**
 * A contract as its author may send it. The profile of the session says which of the optional sections may be left out;
 * they are filled in when the contract is stored.
 */
export const SubmittedContract = Contract.partial(OPTIONAL);
documented.add(SubmittedContract, { id: 'SubmittedContract' });
export type SubmittedContract = z.output<typeof SubmittedContract>;

/** The contract that a revision stores. This contract may break the schema {@link Contract}. */
export const StoredContract = z
  .union([Contract, z.record(z.string(), z.unknown())])
  .describe('A contract. Meets its schema unless validation_errors says otherwise.')
  .register(documented, { id: 'StoredContract' });

export type Contract = z.output<typeof Contract>;
export type ContractTask = Contract['tasks'][number];
export type ContractTest = Contract['tests'][number];
export type ContractInterface = Contract['interfaces'][number];

const ids = z.array(z.string());

/** The parts of a contract that the rules of the session need: ids, assignees and dependencies. */
export const Outline = z.strictObject({
  decisions: ids,
  fixture_version: z.string(),
  interfaces: z.array(
    z.strictObject({
      id: z.string(),
      /** Absent in revisions that an earlier version of Parley stored. */
      kind: z.string().optional(),
      provider: BuilderRole,
      consumers: z.array(z.string()),
    }),
  ),
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      assignee: BuilderRole,
      depends_on: ids,
      /** Absent in revisions that an earlier version of Parley stored. */
      requirements: ids.optional(),
    }),
  ),
  tests: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      executor: BuilderRole,
      responsible: BuilderRole,
      requirements: ids,
      interfaces: ids,
      depends_on: ids,
      evidence_policy: EvidencePolicy.optional(),
    }),
  ),
  gates: z.array(z.strictObject({ id: z.string(), stage: GateStage, run: GateRun.optional() })),
  /** The decisions that texts of the contract cite. Absent if no text cites a decision. */
  cited: z.array(z.strictObject({ id: z.string(), pointer: z.string() })).optional(),
});
export type Outline = z.output<typeof Outline>;

export const outlineOf = (contract: Contract): Outline => ({
  decisions: contract.decisions,
  fixture_version: contract.fixture_version,
  interfaces: contract.interfaces.map(({ id, kind, provider, consumers }) => ({ id, kind, provider, consumers })),
  tasks: contract.tasks.map(({ id, assignee, depends_on, requirements }) => ({
    id,
    assignee,
    depends_on,
    requirements,
  })),
  tests: contract.tests.map((test) => ({
    id: test.id,
    title: test.title,
    executor: test.executor,
    responsible: responsibleFor(contract, test),
    requirements: test.requirements,
    interfaces: test.interfaces,
    depends_on: test.depends_on,
    evidence_policy: test.evidence_policy,
  })),
  gates: contract.gates.map(({ id, stage, run }) => ({ id, stage, ...(run && { run }) })),
});

/** The builder that must fix the defects that a test finds. */
export function responsibleFor(
  { interfaces }: Pick<Contract, 'interfaces'>,
  { responsible, interfaces: [first], executor }: Contract['tests'][number],
): Contract['tests'][number]['executor'] {
  return responsible ?? interfaces.find(({ id }) => id === first)?.provider ?? executor;
}

/** Names of the files that are generated from a contract when the owner approves it. */
export const ARTIFACT_NAMES = {
  sharedContract: 'shared-contract.json',
  contract: 'contract.md',
  handshake: 'handshake.json',
  verificationPlan: 'verification-plan.json',
  agent_a: 'handoff-agent-a.md',
  agent_b: 'handoff-agent-b.md',
} as const;

export const handoffName = (builder: z.output<typeof Builder>): string => ARTIFACT_NAMES[builder];

/** Maps each id to its record. If several records have the same id, the map contains the first of these records. */
export function byId<T extends { readonly id: string }>(records: readonly T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const record of records) if (!found.has(record.id)) found.set(record.id, record);
  return found;
}

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
