import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';

/** Version of the contract's shape; another shape gets another number. */
export const CONTRACT_SCHEMA_VERSION = '1';
const INTERFACE_KINDS = ['http', 'event', 'library', 'cli', 'data', 'ui'] as const;
export const GATE_STAGES = ['build', 'deployment', 'activation'] as const;
const AUDIENCES = ['agent_a', 'agent_b', 'both'] as const;
/** Kinds of evidence that a test's policy can ask for. */
export const EVIDENCE_KINDS = [
  'http_exchange',
  'log',
  'test_report',
  'trace',
  'screenshot',
  'metric',
  'manual',
] as const;

// Only constraints that JSON Schema states too: the published schema must accept and refuse the same documents.
const Text = z.string().regex(/\S/, 'Must not be empty.');
const Id = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'Must be 1 to 60 letters, digits, "_", "." or "-".')
  .describe('1 to 60 letters, digits, "_", "." or "-"; unique in the contract.')
  .register(documented, { id: 'ContractId' });
const Ref = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,59}$/, 'Must be an id.')
  .register(documented, { id: 'ContractRef' });
const Builder = z.enum(BUILDERS);
const Texts = z.array(Text);

const Operation = z.strictObject({
  name: Text.describe('As it is called: POST /v1/captures, payment.captured, sync --since.'),
  request: z.unknown().optional().describe('What is sent: a JSON Schema, an example or a sentence.'),
  response: z.unknown().optional().describe('What comes back.'),
  errors: z
    .array(z.union([Text, z.record(z.string(), z.unknown())]))
    .optional()
    .describe('Each way it fails, as a line or an object.'),
});

const Interface = z.strictObject({
  id: Id,
  name: Text,
  kind: z.enum(INTERFACE_KINDS),
  provider: Builder.describe('Who builds it.'),
  consumers: z
    .array(z.string().regex(/^(agent_a|agent_b|external: *\S.*)$/, 'Must be agent_a, agent_b or external:<name>.'))
    .describe('Who uses it: agent_a, agent_b or external:<name>.'),
  description: Text,
  operations: z.array(Operation),
});
documented.add(Interface, { id: 'ContractInterface' });

const DataModel = z.strictObject({
  id: Id,
  name: Text,
  json_schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]).describe('A JSON Schema.'),
});

const Task = z.strictObject({
  id: Id,
  title: Text,
  assignee: Builder,
  requirements: z.array(Ref).describe('requirement_ids of the mission that it serves.'),
  interfaces: z.array(Ref).describe('Ids of interfaces that it builds or uses.'),
  depends_on: z.array(Ref).describe('Ids of tasks that must be done before.'),
  deliverables: Texts.describe('What exists afterwards.'),
  done_when: Texts.describe('How anybody can tell that it is done.'),
});
documented.add(Task, { id: 'ContractTask' });

export const EvidencePolicy = z.strictObject({
  per_agent_kinds: z
    .strictObject({
      agent_a: z.array(z.enum(EVIDENCE_KINDS)).optional(),
      agent_b: z.array(z.enum(EVIDENCE_KINDS)).optional(),
    })
    .optional()
    .describe('Kinds of evidence that each agent must give; manual for one that cannot observe the system.'),
  min_items: z.int().min(1).max(20).optional().describe('Least number of items of each agent.'),
  correlated: z.boolean().optional().describe('Whether both sides must show the same request_id.'),
});

const Test = z.strictObject({
  id: Id,
  title: Text,
  given: Text,
  when: Text,
  // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of the contract's shape.
  then: Text,
  executor: Builder.describe('Who runs it.'),
  responsible: Builder.optional().describe('Who mends what it finds; the provider of its first interface if left out.'),
  requirements: z.array(Ref),
  interfaces: z.array(Ref),
  depends_on: z.array(Ref).describe('Ids of tests that must have passed before.'),
  evidence_policy: EvidencePolicy.optional(),
});
documented.add(Test, { id: 'ContractTest' });

const Gate = z.strictObject({
  id: Id,
  title: Text,
  stage: z.enum(GATE_STAGES).register(documented, { id: 'GateStage' }),
  condition: Text,
  evidence: Text.optional(),
});
documented.add(Gate, { id: 'ContractGate' });

const Risk = z.strictObject({ id: Id, text: Text, mitigation: Text, assignee: Builder });

const SafetyCondition = z.strictObject({
  id: Id,
  text: Text,
  covered_by: z.array(Ref).describe('Ids of tasks, tests or gates that keep it.'),
});

const Dependency = z.strictObject({ name: Text, version: Text.optional(), assignee: Builder, why: Text });

const Artifact = z.strictObject({
  filename: Text.describe('A plain file name, no folders.'),
  media_type: Text,
  audience: z.enum(AUDIENCES).describe('Who must fetch it and confirm its receipt.'),
  content: z.string(),
});

/** The contract that two builders agree on. What is wrong with one that fits this shape, the validation rules say. */
export const Contract = z.strictObject({
  schema_version: z.literal(CONTRACT_SCHEMA_VERSION).optional(),
  title: Text,
  summary: Text.describe('What the two builders agree to build, in a few sentences.'),
  scope: z.strictObject({ in: Texts, out: Texts }).describe('What belongs to it, and what is left out on purpose.'),
  decisions: z.array(Ref).describe('decision_ids of every RESOLVED decision.'),
  interfaces: z.array(Interface).describe('Where the two sides meet: everything that one provides and another uses.'),
  data_models: z.array(DataModel).describe('The data that crosses interfaces.'),
  tasks: z.array(Task).describe('Who builds what.'),
  tests: z.array(Test).describe('What is verified over both services once they are built.'),
  gates: z.array(Gate).describe('What must hold before the owner authorizes a stage; at least one for each.'),
  risks: z.array(Risk),
  safety_conditions: z.array(SafetyCondition).describe('What must never happen.'),
  dependencies: z.array(Dependency).describe('What is used and built by neither side.'),
  rollout: z.strictObject({ steps: Texts, rollback: Text }).describe('The order of deployment, and the way back.'),
  fixture_version: Text.describe("The session's fixture_version."),
  artifacts: z.array(Artifact).max(50).describe('Files that an agent needs beside the contract.'),
});
documented.add(Contract, { id: 'Contract' });

/** A contract as a revision holds it. */
export const StoredContract = z
  .union([Contract, z.record(z.string(), z.unknown())])
  .describe('Another object than a contract only where validation_errors says what is wrong with it.')
  .register(documented, { id: 'StoredContract' });

export type Contract = z.output<typeof Contract>;
export type ContractTask = Contract['tasks'][number];
export type ContractTest = Contract['tests'][number];
export type ContractInterface = Contract['interfaces'][number];
