import { z } from 'zod';
import { memoizeBy } from '../../kernel/memoize.ts';
import { boundedLists } from '../../kernel/operation/bounded-lists.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { canonicalHash } from '../../kernel/text/canonical.ts';
import { requireScope } from '../access/rules.ts';
import { CONTRACT_SCHEMA_VERSION, SubmittedContract } from '../document/contract.ts';
import { CONTRACT_JSON_SCHEMA, EXAMPLE_CONTRACT } from '../document/example.ts';
import { applyPatch, PatchOps, readValues } from '../document/patch.ts';
import { SHORT_EXAMPLE, shortSchema } from '../document/short-schema.ts';
import { withShared } from '../document/shown-changes.ts';
import { RevisionId } from '../fields.ts';
import { LIST_COST } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { type ProfileTerms, termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { citedDecisions } from '../validation/decision-rules.ts';
import { listIssues, MAX_ISSUES, type RuleFacts, ValidationFields } from '../validation/rule.ts';
import {
  checkDecisions,
  decisionFacts,
  errorsIn,
  RULE_LIST,
  VALIDATOR_VERSION,
  warningsIn,
} from '../validation/validate.ts';
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
