import { describeOperations, type JsonSchema } from '@parley/core';
import { openSession } from '@parley/core/testing';
import { expect, test } from 'vitest';
import { CreateSessionInput } from '../../../packages/core/src/areas/owner/session.ts';
import { publishedSchema } from '../../../packages/core/src/kernel/operation/json-schema.ts';
import { PLACES } from './expected/places.ts';
import { OWNER_READS, READ_TOOLS } from './support/reads.ts';

const { agents, owner } = describeOperations();

/** Yields the path of every input member that accepts free text. */
function* textsIn(schema: JsonSchema, path = '', defs = schema.$defs): Generator<string> {
  const { $ref, type, anyOf, properties, items, additionalProperties } = schema;
  if (typeof $ref === 'string') return yield* textsIn(Object(defs)[$ref.replace('#/$defs/', '')], path, defs);
  for (const branch of anyOf ?? []) yield* textsIn(branch, path, defs);
  if ((type === 'string' || (type === undefined && !anyOf)) && !isSettled(schema)) yield path;
  for (const [name, member] of Object.entries(properties ?? {}))
    yield* textsIn(member, path ? `${path}.${name}` : name, defs);
  if (items) yield* textsIn(items, `${path}[]`, defs);
  if (typeof additionalProperties === 'object') yield path;
}

/** Pattern of a consumer's name. The part after `external:` is free text. */
const EXTERNAL = '^(agent_a|agent_b|external: *\\S.*)$';

/** Whether the schema allows only certain forms or values. */
const isSettled = (schema: JsonSchema): boolean =>
  ['pattern', 'enum', 'const', 'format'].some((keyword) => {
    const rule: unknown = Reflect.get(schema, keyword);
    return rule !== undefined && rule !== '\\S' && rule !== EXTERNAL;
  });

const CONTRACTS = ['validate_contract_draft', 'submit_contract', 'propose_revision', 'submit_position'];

/** Members whose text must equal a value that the service has, such as an id. */
const NAMING = [
  'redeem_invitation code',
  'patch_contract ops[].path',
  'submit_preflight mappings[].requirement_id',
  ...['decisions', 'tasks', 'tests', 'gates'].map((kind) => `submit_preflight mappings[].${kind}[]`),
  'submit_readiness answers[].question_id',
  'fetch_artifact filename',
  'artifact filename',
  'confirm_receipt filename',
  'confirm_receipt others',
  'submit_readiness receipts',
  'confirm_receipt sha256',
  'verify_start_attempt scenario_id',
  'verify_submit_evidence scenario_id',
  'verify_verify scenario_id',
  'verify_board scenario_id',
  'verify_attach scenario_id',
  'verify_attach gate_id',
  'verify_gate gate_id',
  'refuseStep scenario_id',
  'carryPass scenario_id',
  'board scenario_id',
  'records id',
  'markRead sections[]',
  'transcript grep',
  'transcript kind',
  'submit_final_review content_hash',
  'submit_contract_review content_hash',
  'approveContract content_hash',
];

/** Texts of a form that the service checks, so that no hostile text is stored. */
const CHECKED = ['linkChange api', 'linkChange repository'];

/** Lists that the story leaves out, because the service stores their items as the operation of a single item does. */
const AS_SINGLE = [
  'verify_start_attempt evidence[]',
  'verify_verify evidence[]',
  'verify_start_attempt others[]',
  'verify_verify others[]',
  'submit_final_review findings[]',
  'submit_final_review resolved[]',
];

/**
 * Members whose text is not stored. The service compares the text with the manifest, and stores only the names of the
 * members that differ.
 */
const NOT_KEPT = [
  // Base64: no text. What it decodes to is shown by the answers that the tests of attachments read.
  'verify_attach content',
  'submit_readiness content_hash',
  'submit_readiness handshake_sha256',
  'submit_readiness shared_contract_sha256',
  'submit_readiness fixture_version',
];

test('every text that an agent or the owner can write is in the story', async () => {
  const operations = [...agents, ...owner].flatMap(({ name, input }) =>
    [...textsIn(input)].map((path) => `${name} ${path}`),
  );
  const session = [...textsIn(publishedSchema(CreateSessionInput))].map((path) => `createSession ${path}`);
  const fields = [...operations, ...session].filter(
    (field) =>
      ![...NAMING, ...NOT_KEPT, ...AS_SINGLE, ...CHECKED].includes(field) &&
      !CONTRACTS.some((tool) => field.startsWith(`${tool} contract`)),
  );
  const played = Object.keys(PLACES).filter((field) => !field.startsWith('contract '));
  expect([...new Set(fields)].toSorted()).toEqual(played.toSorted());
});

test('every text of a contract is in the story', async () => {
  const { agentA, parley } = await openSession();
  const { contract_schema } = await agentA.call('get_contract_schema', {});
  await parley.close();
  const fields = new Set([...textsIn(contract_schema)].map((path) => `contract ${path}`));
  fields.delete('contract fixture_version');
  const played = Object.keys(PLACES).filter(
    (field) => field.startsWith('contract ') && field !== 'contract unknown member',
  );
  expect([...fields].toSorted()).toEqual(played.toSorted());
});

test('every read is read', () => {
  const reads = agents.filter(({ isRead, access }) => isRead && !access.anyone).map(({ name }) => name);
  expect([...new Set(READ_TOOLS)].toSorted()).toEqual(reads.toSorted());
  // The story declares abbreviated commits, for which no certificate is made.
  const ownerReads = owner.filter(({ isRead, name }) => isRead && name !== 'certificate').map(({ name }) => name);
  expect([...OWNER_READS].toSorted()).toEqual(ownerReads.toSorted());
});
