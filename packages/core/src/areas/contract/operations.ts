import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { type JsonSchema, mapInner } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { canonicalHash } from '../../kernel/text/hash.ts';
import { plural } from '../../kernel/text/readable.ts';
import { requireScope } from '../access/rules.ts';
import { planParts, planReply, WHOLE_COST } from '../blockers/plan.ts';
import { blockerListParts, blockerListReply } from '../blockers/rules.ts';
import {
  CONTRACT_JSON_SCHEMA,
  CONTRACT_SCHEMA_VERSION,
  EXAMPLE_CONTRACT,
  SubmittedContract,
} from '../document/contract.ts';
import { applyPatch, PatchOps, readValues } from '../document/patch.ts';
import { withShared } from '../document/shown-changes.ts';
import { RevisionId } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { type ProfileTerms, termsOf } from '../profiles.ts';
import { RequirementView } from '../session/views.ts';
import type { SessionState } from '../state.ts';
import { citedDecisions } from '../validation/reference-rules.ts';
import { listIssues, MAX_ISSUES, type RuleFacts, ValidationFields } from '../validation/rule.ts';
import {
  checkDecisions,
  decisionFacts,
  errorsIn,
  RULE_LIST,
  VALIDATOR_VERSION,
  warningsIn,
} from '../validation/validate.ts';
import { keptMappings, listPreflight, MappingInput, mappingIssues } from './preflight.ts';
import {
  ContractInput,
  DIFF_INPUT,
  latestDocument,
  RevisionReason,
  requireAuthor,
  requireParent,
  revisionDiffParts,
  revisionDiffReply,
} from './rules.ts';
import { PreflightView } from './state.ts';
import {
  checkOf,
  NewRevision,
  precomputeCheck,
  precomputeSubmission,
  repeatedIn,
  revisionDrafts,
  storedForm,
  submissionParts,
  viewNewRevision,
} from './submission.ts';

/** Keywords that the short schema leaves out, so that it accepts everything that the whole schema accepts. */
const LIMITS: ReadonlySet<string> = new Set([
  'pattern',
  'minimum',
  'maximum',
  'maxItems',
  'propertyNames',
  'additionalProperties',
]);

/** A member of each test that every author may leave out, and that is long. */
const EVIDENCE_POLICY: JsonSchema = { description: 'What proves a pass, if not one item of each agent.' };

/** The schema of a contract for an author who may leave sections out. It names these sections, and shows the others. */
function shortSchema(optional: readonly string[]): JsonSchema {
  const { properties = {}, required = [] } = CONTRACT_JSON_SCHEMA;
  const { schema_version: _, ...sections } = properties;
  const shown = Object.entries(sections).filter(([name]) => !optional.includes(name));
  return withShared({
    type: 'object',
    description: `Ids: 1 to 60 letters, digits, "_", "." or "-". No empty text, no unknown member. May be left out: ${optional.join(', ')}, evidence_policy of tests; whole: true shows their members. A test with the id of an agenda scenario may leave out what that says, and depends_on.`,
    properties: Object.fromEntries(shown.map(([name, schema]) => [name, short(schema)])),
    required: required.filter((name) => !optional.includes(name)),
  });
}

function short(schema: JsonSchema): JsonSchema {
  if (schema.properties?.level) return EVIDENCE_POLICY;
  const { description, ...rest } = mapInner(schema, short);
  const kept = Object.fromEntries(Object.entries(rest).filter(([keyword]) => !LIMITS.has(keyword)));
  return schema.pattern === undefined && description !== undefined ? { ...kept, description } : kept;
}

/** A small contract without the sections that a light session may leave out. Breaks no rule that applies to it. */
export const SHORT_EXAMPLE: SubmittedContract = {
  title: 'Orders tell the carrier',
  summary: 'The shop (agent_b) names the carrier of an order; the app (agent_a) shows it.',
  decisions: ['d_1'],
  interfaces: [
    {
      id: 'orders',
      name: 'Orders of the shop',
      kind: 'http',
      provider: 'agent_b',
      consumers: ['agent_a', 'external: support desk'],
      description: 'An order has a new member, carrier.',
      operations: [
        {
          name: 'GET /v1/orders/{id}',
          response: { status: 200, body: { id: 'o-1', carrier: 'DHL' } },
          errors: ['404 ORDER_UNKNOWN'],
        },
      ],
    },
  ],
  tasks: [
    {
      id: 'task-name',
      title: 'Add carrier to orders',
      assignee: 'agent_b',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: [],
      deliverables: ['Member carrier'],
      done_when: ['GET /v1/orders/o-1 contains carrier.'],
    },
    {
      id: 'task-show',
      title: 'Show the carrier',
      assignee: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: ['task-name'],
      deliverables: ['Line in the order page'],
      done_when: ['The page of o-1 says DHL.'],
    },
  ],
  tests: [
    {
      id: 'test-carrier',
      title: 'The page shows the carrier',
      given: 'Order o-1 goes with DHL.',
      when: 'The app opens the page of o-1.',
      // biome-ignore lint/suspicious/noThenProperty: given, when and then are member names of the contract.
      then: 'The page says DHL.',
      executor: 'agent_a',
      requirements: ['req-1'],
      interfaces: ['orders'],
      depends_on: [],
    },
  ],
};

const mark = ({ severity }: RuleFacts): string => (severity === 'warning' ? ' (warning)' : '');
const ruleLine = (rule: RuleFacts): string => `${rule.code}${mark(rule)}: ${rule.explanation}`;

const WHOLE_SCHEMA = {
  contract_schema: withShared(CONTRACT_JSON_SCHEMA),
  example: EXAMPLE_CONTRACT,
  rules: RULE_LIST.map((rule) => ({ ...rule, line: ruleLine(rule) })),
};

const shortened = memoizeBy(({ optional, shortSchemaRules }: ProfileTerms) => ({
  contract_schema: shortSchema(optional),
  example: SHORT_EXAMPLE,
  rules: shortLines(RULE_LIST.filter(({ code, ofAgenda }) => ofAgenda || shortSchemaRules?.includes(code))),
}));

/** The explanations of the rules: first those that refuse a contract, then those that only warn. */
function shortLines(rules: readonly RuleFacts[]): { ofAgenda: boolean; line: string }[] {
  const of = (wanted: RuleFacts['severity']) =>
    rules.flatMap(({ severity, ofAgenda, explanation }) =>
      severity === wanted ? [{ ofAgenda: ofAgenda === true, line: explanation }] : [],
    );
  return [...of('error'), { ofAgenda: false, line: 'The rules below only warn.' }, ...of('warning')];
}

export const getContractSchema = defineOperation({
  name: 'get_contract_schema',
  summary: "Get the contract's schema, an example and the validation rules.",
  rest: 'GET contract-schema',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({ whole: z.boolean().optional().describe('Also sections that you may leave out.') }),
  output: z.strictObject({
    schema_version: z.string(),
    contract_schema: z.record(z.string(), z.unknown()).describe('JSON Schema draft 2020-12.'),
    example: SubmittedContract.describe('An invented contract that breaks no rule.'),
    validator_version: z.string(),
    rules: z.array(z.string()).describe('Validation rules, and which of them only warn.'),
  }),

  reply(state, { whole = false }) {
    const { agenda } = state.profile;
    const terms = termsOf(state);
    const shown = terms.shortSchemaRules && !whole ? shortened(terms) : WHOLE_SCHEMA;
    return {
      schema_version: CONTRACT_SCHEMA_VERSION,
      validator_version: VALIDATOR_VERSION,
      ...shown,
      rules: shown.rules.flatMap(({ ofAgenda, line }) => (agenda || !ofAgenda ? line : [])),
    };
  },
});

/**
 * Spec 4.2. Without `against`, compares the revision with its parent. The first revision is compared with an empty
 * contract.
 */
export const getRevisionDiff = defineOperation({
  name: 'get_revision_diff',
  summary: 'Show what a revision changed.',
  rest: 'GET contract/diff',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({
    ...DIFF_INPUT,
    revision_id: RevisionId.optional(),
    against: RevisionId.optional(),
  }),
  ...revisionDiffParts,
  reply: revisionDiffReply('get_revision_diff'),
});

const PatchInput = z.strictObject({ ...RevisionReason, ops: PatchOps });

type Ops = z.output<typeof PatchInput>['ops'];

/** Before the first revision, the base is `{}` with the sections that the author may leave out. */
const applied = memoizeBy(
  (ops: Ops, state: SessionState, document: ReadDocument): unknown => {
    const { latest } = state.contract;
    const base = latest ? JSON.parse(document(latest.content_hash)) : storedForm(state, {});
    return storedForm(state, applyPatch(base, readValues(ops)));
  },
  ({ sessionId, contract }) => `${sessionId} ${contract.latest?.content_hash ?? ''}`,
);

const patched = (state: SessionState, { ops }: { readonly ops: Ops }, document: ReadDocument): unknown =>
  applied(ops, state, document);

/** Spec 4.2. Applies all operations to the latest revision, or none. Before the first revision, they apply to `{}`. */
export const patchContract = defineOperation({
  name: 'patch_contract',
  summary: 'Change the latest revision by JSON Patch; Contract Author only.',
  rest: 'POST contract/patch',
  access: { builder: 'submit_contract' },
  phases: ['CONTRACT'],
  input: PatchInput,
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'UNKNOWN_RECORD', 'PATCH_FAILED', 'INVALID_INPUT'],

  documents: latestDocument,

  *precompute(state, input, _caller, document) {
    const value = patched(state, input, document);
    yield value;
    yield* precomputeSubmission(state, value, document);
  },

  decide(state, input, caller, { document }) {
    requireAuthor(state, caller.role);
    if (input.approve) requireScope(state, caller, 'submit_final_review');
    const parent = requireParent(state, input.expected_parent_id);
    const value = patched(state, input, document);
    const { reason, causes, approve } = input;
    return revisionDrafts(state, { value, parent, reason, causes, approve, document });
  },

  reply: viewNewRevision,
});

/** Spec 4.2. Another name for `submit_contract`. */
export const proposeRevision = defineOperation({
  name: 'propose_revision',
  summary: 'Same as submit_contract.',
  rest: 'POST plan-revision',
  access: { builder: 'submit_contract' },
  ...submissionParts,
});

/** Spec 4.2. A contract that breaks the schema or a rule is stored too, but its revision cannot be certified. */
export const submitContract = defineOperation({
  name: 'submit_contract',
  summary: 'Save the contract as a new revision; Contract Author only.',
  rest: 'POST contract',
  access: { builder: 'submit_contract' },
  ...submissionParts,
});

/** Spec 4.2. Another name for `submit_contract`. */
export const submitPosition = defineOperation({
  name: 'submit_position',
  summary: 'Same as submit_contract.',
  rest: 'POST plan',
  access: { builder: 'submit_position' },
  ...submissionParts,
});

/** Spec 4.2. Any builder can validate a draft in any phase. */
export const validateContractDraft = defineOperation({
  name: 'validate_contract_draft',
  summary: 'Validate a draft; stores nothing.',
  rest: 'POST contract/validate',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({ contract: ContractInput }),
  output: z.strictObject({
    valid: z.boolean().describe('True when there is no error; warnings do not count.'),
    content_hash: z.string().describe('The content_hash that a revision with this content would have.'),
    ...ValidationFields,
  }),

  precompute: (state, { contract }) => precomputeCheck(state, storedForm(state, contract)),

  reply(state, input) {
    const value = storedForm(state, input.contract);
    const { contract, issues, errorCount, warningCount } = checkOf(state, value);
    const unsettled = contract
      ? checkDecisions(contract.decisions, decisionFacts(state), citedDecisions(contract))
      : [];
    const repeated = repeatedIn(state, value);
    const errors = [...errorsIn(issues), ...errorsIn(unsettled)].slice(0, MAX_ISSUES);
    const warnings = [...warningsIn(issues), ...warningsIn(unsettled), ...repeated].slice(
      0,
      MAX_ISSUES - errors.length,
    );
    const lists = boundedLists(LIST_COST);
    const shown = { errors: listIssues(lists, errors), warnings: listIssues(lists, warnings) };
    return {
      valid: errors.length === 0,
      content_hash: canonicalHash(value),
      validator_version: VALIDATOR_VERSION,
      errors: shown.errors(),
      warnings: shown.warnings(),
      error_count: errorCount + errorsIn(unsettled).length,
      warning_count: warningCount + warningsIn(unsettled).length + repeated.length,
      ...lists.leftOut(),
    };
  },
});

export const getPreflight = defineOperation({
  name: 'get_preflight',
  summary: 'Show the requirements to map, and the preflight.',
  rest: 'GET preflight',
  access: { builder: 'get_contract_schema' },
  input: z.strictObject({
    after: z.int().min(0).max(1_000).optional().describe('Skip this many items.'),
  }),
  output: z.strictObject({ requirements: z.array(RequirementView), preflight: PreflightView.nullable(), ...LEFT_OUT }),

  reply(state, { after = 0 }) {
    const lists = boundedLists(LIST_COST);
    const requirements = lists.list({
      records: state.profile.requirements.slice(after),
      view: (requirement) => requirement,
      how: () => 'read_task shows all requirements.',
    });
    const preflight = listPreflight(lists, state, after);
    return { requirements: requirements(), preflight: preflight(), ...lists.leftOut() };
  },
});

/**
 * Spec 4.2. A later preflight replaces the mappings of the requirements that it names. Other mappings are kept if the
 * latest revision contains their records.
 */
export const submitPreflight = defineOperation({
  name: 'submit_preflight',
  summary: 'Map requirements to ids of the latest revision; author only.',
  rest: 'POST preflight',
  access: { builder: 'submit_contract' },
  phases: ['CONTRACT'],
  input: z.strictObject({ mappings: z.array(MappingInput).max(500) }),
  output: z.strictObject({ preflight: PreflightView.nullable(), ...LEFT_OUT }),
  errors: ['NOT_CONTRACT_AUTHOR', 'PREFLIGHT_INVALID'],

  decide(state, input, { role }) {
    requireAuthor(state, role);
    const { latest, outline } = state.contract;
    const mappings = input.mappings.map(({ decisions = [], tasks = [], tests = [], gates = [], ...rest }) => ({
      ...rest,
      decisions,
      tasks,
      tests,
      gates,
    }));
    if (!latest || !outline)
      return refuse([
        {
          path: 'mappings',
          message: 'No revision is valid against the contract schema yet: submit one with submit_contract first.',
        },
      ]);
    const whole = [...mappings, ...keptMappings(state, outline, mappings)];
    const issues = mappingIssues(state, outline, whole);
    if (issues.length > 0) return refuse(issues);
    return [{ kind: 'preflight.submitted', data: { revision_id: latest.revision_id, mappings: whole } }];
  },

  reply(state) {
    const lists = boundedLists(LIST_COST);
    const preflight = listPreflight(lists, state);
    return { preflight: preflight(), ...lists.leftOut() };
  },
});

/** The message contains the total number of issues, which may exceed those listed. */
const refuse = (issues: readonly { path: string; message: string }[]): never =>
  fail('PREFLIGHT_INVALID', `The preflight is refused because of ${plural(issues.length, 'fault')}; see \`issues\`.`, {
    issues: issues.slice(0, MAX_ISSUES),
  });

export const listBlockers = defineOperation({
  ...blockerListParts,
  name: 'list_blockers',
  rest: 'GET contract-blockers',
  access: { builder: 'read_session_state', moderator: true },
  reply: blockerListReply('list_blockers'),
});

/** Spec 4.2. Reads the latest revision. If there is none, the members are null and the lists are empty. */
export const getFinalPlan = defineOperation({
  name: 'get_final_plan',
  rest: 'GET plan',
  access: { builder: 'get_final_plan', moderator: true },
  ...planParts,
  reply: planReply('get_final_plan', WHOLE_COST.agent),
});
