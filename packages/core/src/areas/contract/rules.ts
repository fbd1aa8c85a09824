import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { type BoundedLists, boundedLists, costOf, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documentAs, documented, namedObject, publishedSchema } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument, ReplyContext } from '../../kernel/operation/operation.ts';
import type { Role } from '../../kernel/roles.ts';
import { CONTRACT_JSON_SCHEMA, type Outline, SubmittedContract } from '../document/contract.ts';
import { type Change, changesBetween } from '../document/diff.ts';
import { ShownOp, shownOp } from '../document/shown-changes.ts';
import { diffText, type TextDiff } from '../document/text-diff.ts';
import { Reason, RevisionId } from '../fields.ts';
import { pageCall, pickOf } from '../listing.ts';
import { termsOf } from '../profiles.ts';
import { markdownOf } from '../rendering/contract.ts';
import type { SessionState } from '../state.ts';
import { type Issue, listIssues, ValidationFields } from '../validation/rule.ts';
import { checkDecisions, decisionFacts, errorsIn, warningsIn } from '../validation/validate.ts';
import { type Checked, type Revision, RevisionFields, RevisionView } from './state.ts';

const CAUSE_TYPES = ['change_request', 'decision', 'finding', 'intervention', 'question'] as const;
type CauseType = (typeof CAUSE_TYPES)[number];

const TYPE_OF = new Map<string, CauseType>([
  ['d', 'decision'],
  ['f', 'finding'],
  ['i', 'intervention'],
  ['q', 'question'],
]);

/** A record that caused a revision. */
export const CauseView = z
  .strictObject({ type: z.enum(CAUSE_TYPES), id: z.string() })
  .describe('The id of a change_request is the id of your message.');
documented.add(CauseView, { id: 'ChangeCause' });
export type Cause = z.output<typeof CauseView>;

const CauseId = z
  .string()
  .regex(
    /^([dfiq]_)?[1-9]\d{0,8}$/,
    'Must be the id of a decision, finding, intervention or question, such as f_1, or the number of the message in which the owner requested changes, such as "55".',
  );

/** The input member `causes` of a call that stores a revision. */
const Causes = z
  .array(CauseId)
  .max(50)
  .describe('Ids of what the revision answers: d_1, f_1, i_1, q_1, or "55" for the message of a request for changes.')
  .register(documented, { id: 'Causes' })
  .optional();

/** Refuses ids of which the session has no record. */
export function requireCauses(state: SessionState, causes: readonly string[]): void {
  for (const cause of causes.map(typed)) {
    if (isKnown(state, cause)) continue;
    const { type, id } = cause;
    const message =
      type === 'change_request'
        ? `causes: message ${id} is no request of the owner for changes.`
        : `causes: there is no ${type} ${id} in this session.`;
    fail('UNKNOWN_RECORD', message, { record: { type, id } });
  }
}

/** The records that the author of a revision named as its causes, and the findings whose answers name the revision. */
export function causesOf({ findings }: SessionState, { revision_id, causes = [] }: Revision): Cause[] {
  const fixed = valuesOf(findings.all)
    .filter(({ response, other_response }) => [response, other_response].some((one) => one?.fixed_in === revision_id))
    .map(({ finding_id }) => finding_id);
  return [...new Set([...causes, ...fixed])].map(typed);
}

/** Whether the author of a revision named the owner's request for changes with this number. */
export const namesRequest = ({ causes = [] }: Revision, seq: number): boolean => causes.includes(String(seq));

const typed = (id: string): Cause => ({ type: TYPE_OF.get(id.slice(0, id.indexOf('_'))) ?? 'change_request', id });

function isKnown(
  { findings, decisions, questions, interventions, contract }: SessionState,
  { type, id }: Cause,
): boolean {
  if (type === 'change_request')
    return [
      ...contract.requests.map(({ message_id }) => message_id),
      ...valuesOf(contract.revisions).flatMap(({ request_seqs }) => request_seqs),
    ].includes(Number(id));
  const records = { finding: findings, decision: decisions, question: questions, intervention: interventions }[type];
  return lookUp<unknown>(records.all, id) !== undefined;
}

const { properties } = CONTRACT_JSON_SCHEMA;
const { required } = publishedSchema(SubmittedContract);

/**
 * A contract as an agent submits it: any JSON object. If it breaks the contract's schema, the validation reports this,
 * and the call is not refused.
 */
export const ContractInput = z
  .record(z.string(), z.unknown())
  .meta({ properties, required })
  .describe('As get_contract_schema describes it.');
documentAs(ContractInput, SubmittedContract);

export function revisionOf({ contract: { revisions } }: SessionState, id: string): Revision {
  return lookUp(revisions, id) ?? unknownRevision(id);
}

function unknownRevision(id: string): never {
  return fail('UNKNOWN_RECORD', `There is no revision ${id} in this session.`, { record: { type: 'revision', id } });
}

export function noRevisionYet(): never {
  return fail('UNKNOWN_RECORD', 'There is no contract revision yet.', {
    hint: 'Send this call again when the Contract Author has submitted the first revision with submit_contract.',
  });
}

export const isLaterRevision = (id: string, other: string): boolean => Number(id.slice(2)) > Number(other.slice(2));

export function requireAuthor({ election: { contract_author } }: SessionState, role: Role): void {
  if (contract_author === role) return;
  if (contract_author)
    fail('NOT_CONTRACT_AUTHOR', `Only ${contract_author}, the Contract Author, can make this call.`, {
      contract_author,
    });
  fail('NOT_CONTRACT_AUTHOR', 'Only the Contract Author can make this call, and no Contract Author is elected yet.', {
    contract_author,
    hint: 'Nominate a Contract Author with elect_contract_author, or in a turn with nominates. A builder that the other one has nominated may submit at once.',
  });
}

/**
 * Domain 7.2. Returns the latest revision, or null if there is none. Refuses a call that names another revision as parent.
 */
export function requireParent({ contract: { latest } }: SessionState, expectedParentId: string): Revision | null {
  const latest_revision_id = latest?.revision_id ?? null;
  if (expectedParentId !== (latest_revision_id ?? '')) {
    const message = latest ? `The latest revision is ${latest.revision_id}.` : 'There is no revision yet.';
    fail('STALE_PARENT', `${message} You named "${expectedParentId}" as the parent.`, { latest_revision_id });
  }
  return latest;
}

/** Returns the latest revision. Refuses a call that names another id or another hash. */
export function requireLatest(state: SessionState, revisionId: string, contentHash: string): Revision {
  const { latest } = state.contract;
  const named = revisionOf(state, revisionId);
  if (!latest || named.revision_id !== latest.revision_id) {
    return fail('STALE_REVISION', `${revisionId} is not the latest revision; the latest is ${latest?.revision_id}.`, {
      latest_revision_id: latest?.revision_id,
      latest_content_hash: latest?.content_hash,
    });
  }
  if (contentHash !== latest.content_hash) {
    fail('HASH_MISMATCH', `The content_hash that you sent is not that of ${revisionId}.`, { revision_id: revisionId });
  }
  return latest;
}

export interface Validation {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Issue[];
  readonly error_count: number;
  readonly warning_count: number;
}

/**
 * The validation of the latest revision: its stored issues, and the issues that depend on the decisions in this state.
 */
export const validationOf = memoizeBy((state: SessionState): Validation => {
  const { checked, outline } = state.contract;
  return validationFrom(state, checked, outline);
});

/** Like {@link validationOf} for any revision. The caller passes the stored issues and the outline of that revision. */
export function validationFrom(
  state: SessionState,
  { issues, error_count, warning_count }: Omit<Checked, 'validator_version'>,
  outline: Pick<Outline, 'decisions' | 'cited'> | null,
): Validation {
  const found = outline ? checkDecisions(outline.decisions, decisionFacts(state), outline.cited) : [];
  const all = [...issues, ...found];
  return {
    errors: errorsIn(all),
    warnings: warningsIn(all),
    error_count: error_count + errorsIn(found).length,
    warning_count: warning_count + warningsIn(found).length,
  };
}

const ParentId = z
  .string()
  .regex(/^(r_[1-9]\d{0,8})?$/, 'Must be a revision id such as r_1, or empty for the first revision.')
  .nullable()
  .transform((id) => id ?? '')
  .describe('Latest revision_id; "" if there is none.');

/** The members that every call that stores a revision has. */
export const RevisionReason = {
  expected_parent_id: ParentId,
  reason: Reason,
  causes: Causes,
  approve: z.boolean().optional().describe('Also your APPROVE of the new revision.'),
};

export const SubmissionInput = namedObject('ContractSubmission', { contract: ContractInput, ...RevisionReason });
export type SubmissionInput = z.output<typeof SubmissionInput>;

export const viewRevision = pickOf(RevisionView);

const { errors, warnings, ...counts } = ValidationFields;
export const ValidationViewFields = { ...counts, validation_errors: errors, validation_warnings: warnings };

export function listValidation(lists: BoundedLists, validator_version: string, validation: Validation) {
  const errors = listIssues(lists, validation.errors);
  const warnings = listIssues(lists, validation.warnings);
  return () => ({
    validator_version,
    validation_errors: errors(),
    validation_warnings: warnings(),
    error_count: validation.error_count,
    warning_count: validation.warning_count,
  });
}

export const RevisionDiffView = namedObject('RevisionDiff', {
  ...RevisionFields,
  parent_content_hash: z.string().nullable(),
  ops: z
    .array(ShownOp)
    .describe(
      'RFC 6902 operations. An operation that changes few words of a long text has `words` instead of `value`.',
    ),
  text: z
    .string()
    .describe('Unified diff of the Markdown. A line with ~ is a paragraph with [-removed-] and {+added+} words.'),
  truncated: z.boolean().describe('True when the text was cut at 60,000 characters.'),
  ...LEFT_OUT,
});

/** A revision, and the revision `base` with which it is compared. `base` can be older or newer. */
export interface Pair {
  readonly revision: Revision;
  /** Undefined if the revision is compared with the empty contract. */
  readonly base: Revision | undefined;
}

export interface DiffInput {
  readonly revision_id?: string | undefined;
  readonly against?: string | undefined;
  readonly after?: number | undefined;
  readonly exact?: boolean | undefined;
}

export const DIFF_INPUT = {
  revision_id: RevisionId,
  after: z.int().min(0).max(1_000_000).optional().describe('Skip this many items.'),
  exact: z.boolean().optional().describe('Show all values whole.'),
};

function pairOf(
  { contract: { revisions, latest } }: SessionState,
  { revision_id, against }: DiffInput,
): Pair | undefined {
  const revision = revision_id === undefined ? latest : lookUp(revisions, revision_id);
  if (!revision) return undefined;
  if (against === undefined) return { revision, base: lookUp(revisions, revision.parent_id ?? '') };
  const base = lookUp(revisions, against);
  return base && { revision, base };
}

const nameOf = ({ revision, base }: Pair): string => `${revision.revision_id} ${base?.revision_id ?? ''}`;

export const changesOf = memoizeBy(
  (_state: SessionState, { revision, base }: Pair, document: ReadDocument): readonly Change[] => {
    const before: unknown = base ? JSON.parse(document(base.content_hash)) : {};
    return changesBetween(before, JSON.parse(document(revision.content_hash)));
  },
  nameOf,
);

/** The Markdown of a revision without the texts of its decisions. */
const plainMarkdown = (state: SessionState, { content_hash: hash }: Revision, document: ReadDocument): string =>
  markdownOf({ hash, text: document(hash), terms: termsOf(state) });

const textOf = memoizeBy((state: SessionState, { revision, base }: Pair, document: ReadDocument): TextDiff => {
  const before = base ? plainMarkdown(state, base, document) : '';
  const after = plainMarkdown(state, revision, document);
  return diffText(before, after, { before: base?.revision_id ?? 'empty', after: revision.revision_id });
}, nameOf);

/**
 * The members that the operations `get_revision_diff` and `diff` share. Each of the two adds its name, its access and
 * its input.
 */
export const revisionDiffParts = {
  output: RevisionDiffView,
  errors: ['UNKNOWN_RECORD'],

  documents(state: SessionState, input: DiffInput) {
    const pair = pairOf(state, input);
    return [pair?.revision, pair?.base].flatMap((known) => known?.content_hash ?? []);
  },

  *precompute(state: SessionState, input: DiffInput, _caller: unknown, document: ReadDocument): Generator<unknown> {
    const pair = pairOf(state, input);
    if (!pair) return;
    for (const revision of [pair.revision, ...(pair.base ? [pair.base] : [])])
      yield plainMarkdown(state, revision, document);
    yield changesOf(state, pair, document);
    yield textOf(state, pair, document);
  },
} as const;

/** Maximum size of the diff (its text and its operations) in bytes as `costOf` counts them. */
const DIFF_COST = 940_000;

/**
 * Makes the function `reply` of an operation that shows a diff.
 * @param tool name of the operation that the answer names as the call for the next page
 */
export const revisionDiffReply =
  (tool: string) =>
  (state: SessionState, input: DiffInput, { document }: Pick<ReplyContext, 'document'>) => {
    const pair = pairOf(state, input) ?? unknownPair(state, input);
    const { after = 0, exact = false } = input;
    const text = textOf(state, pair, document);
    const lists = boundedLists(DIFF_COST - costOf(text));
    const ops = lists.list({
      records: changesOf(state, pair, document)
        .slice(after)
        .map((change, index) => ({ change, place: after + index + 1 })),
      view: ({ change }) => ({ ...(exact ? change.op : shownOp(change)) }),
      how: (last) => pageCall(tool, last?.place ?? 0),
    });
    return {
      ...viewRevision(pair.revision),
      parent_content_hash: lookUp(state.contract.revisions, pair.revision.parent_id ?? '')?.content_hash ?? null,
      ops: ops(),
      ...text,
      ...lists.leftOut(),
    };
  };

function unknownPair({ contract: { revisions } }: SessionState, { revision_id, against }: DiffInput): never {
  if (revision_id !== undefined && !lookUp(revisions, revision_id)) unknownRevision(revision_id);
  return against === undefined ? noRevisionYet() : unknownRevision(against);
}

export const latestDocument = ({ contract: { latest } }: SessionState): string[] =>
  latest ? [latest.content_hash] : [];
