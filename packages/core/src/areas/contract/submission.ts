import { z } from 'zod';
import { MAX_BODY_CHARS, MAX_JSON_DEPTH } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { type BoundedLists, boundedLists } from '../../kernel/operation/bounded-lists.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { Caller, DecideEnv, ReadDocument } from '../../kernel/operation/operation.ts';
import { BUILDERS, isBuilder } from '../../kernel/roles.ts';
import { canonicalJson, sha256Hex } from '../../kernel/text/hash.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { countCharacters } from '../../kernel/text/readable.ts';
import { requireScope } from '../access/rules.ts';
import { REVISION_STATUSES, statusOfLatest } from '../blockers/rules.ts';
import type { SessionDraft } from '../catalog.ts';
import { type Contract, outlineOf } from '../document/contract.ts';
import { changesBetween } from '../document/diff.ts';
import { type ShownOp, shownOp } from '../document/shown-changes.ts';
import { At, BuilderRole, RevisionId } from '../fields.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import { claimOf, submissionDrafts, withScenarios } from '../planning/rules.ts';
import { LEFT_OUT_SECTIONS, termsOf } from '../profiles.ts';
import { currentReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { citedDecisions, repeatedDecisions } from '../validation/reference-rules.ts';
import { type Issue, listIssues, MAX_ISSUES, ValidationFields, viewIssue } from '../validation/rule.ts';
import {
  activePositions,
  type ContractCheck,
  checkContract,
  errorsIn,
  missionFacts,
  unchangedFrom,
  VALIDATOR_VERSION,
  warningsIn,
} from '../validation/validate.ts';
import { contractEvents } from './events.ts';
import { preflightFaults } from './preflight.ts';
import {
  latestDocument,
  listValidation,
  noRevisionYet,
  requireAuthor,
  requireCauses,
  requireParent,
  revisionOf,
  SubmissionInput,
  ValidationViewFields,
  validationFrom,
  validationOf,
  viewRevision,
} from './rules.ts';
import { type Revision, RevisionFields } from './state.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const canonicalOfObject = memoizeBy((value: object): string => canonicalText(value));

const canonicalOf = (value: unknown): string => (isObject(value) ? canonicalOfObject(value) : canonicalText(value));

const checkOfObject = memoizeBy(
  (value: object, state: SessionState): ContractCheck => checkContract(value, missionFacts(state)),
  ({ sessionId }) => sessionId,
);

/**
 * The result of the rules that read only the contract and the mission. Memoized, because several steps of a call use
 * the result.
 */
export const checkOf = (state: SessionState, value: unknown): ContractCheck =>
  isObject(value) ? checkOfObject(value, state) : checkContract(value, missionFacts(state));

const storedFormOfObject = memoizeBy(
  (value: object, state: SessionState): unknown => {
    if (!isRecord(value)) return value;
    const { optional } = termsOf(state);
    if (optional.length === 0) return value;
    const missing = optional.filter((section) => !Object.hasOwn(value, section));
    const filled = { ...LEFT_OUT_SECTIONS, fixture_version: state.profile.fixture_version };
    const tests = withScenarios(value.tests, state);
    if (missing.length === 0 && tests === value.tests) return value;
    return {
      ...Object.fromEntries(missing.map((section) => [section, filled[section]])),
      ...value,
      ...(tests !== value.tests && { tests }),
    };
  },
  ({ sessionId }) => sessionId,
);

/**
 * The contract that a revision with this value stores: if the profile of the session allows that, with the sections that
 * the author has left out, and with the members of the agenda's scenarios that the tests of the same ids have left out.
 */
export const storedForm = (state: SessionState, value: unknown): unknown =>
  isObject(value) ? storedFormOfObject(value, state) : value;

/** Runs the expensive steps of a validation. The event loop runs after each `yield`. */
export function* precomputeCheck(state: SessionState, value: unknown): Generator<unknown> {
  yield isObject(value) && isTooDeep(value);
  yield canonicalOf(value);
  yield checkOf(state, value);
  yield repeatedIn(state, value);
}

/** Warnings about texts of the contract that repeat the text of a decision. Empty if the contract breaks its schema. */
export function repeatedIn(state: SessionState, value: unknown): readonly Issue[] {
  const { contract } = checkOf(state, value);
  return contract ? repeatedDecisions(contract, activePositions(state)) : [];
}

/** Runs the expensive steps of storing a revision. The event loop runs after each `yield`. */
export function* precomputeSubmission(state: SessionState, value: unknown, document: ReadDocument): Generator<unknown> {
  yield* precomputeCheck(state, value);
  yield changesIn(value, state.contract.latest, document);
}

export interface Submission {
  readonly value: unknown;
  readonly parent: Revision | null;
  readonly reason: string;
  readonly causes?: readonly string[] | undefined;
  /** Whether the author approves the revision with the same call. */
  readonly approve?: boolean | undefined;
  readonly document: ReadDocument;
}

/**
 * The events that store a new revision, whose document is the RFC 8785 form of the contract, and the review of an author
 * that approves it with the same call.
 */
export function revisionDrafts(state: SessionState, submission: Submission): SessionDraft[] {
  const { parent, reason, causes, approve } = submission;
  requireCauses(state, causes ?? []);
  const text = canonicalOf(submission.value);
  const content_hash = sha256Hex(text);
  const { outline, ...validation } = storedValidation(state, submission.value, content_hash, parent);
  const revision_id = `r_${state.contract.revisions.size + 1}`;
  const data = {
    revision_id,
    parent_id: parent?.revision_id ?? null,
    content_hash,
    bytes: Buffer.byteLength(text),
    title: titleOf(submission.value),
    reason,
    ...(causes && { causes: [...new Set(causes)] }),
    ...changesIn(submission.value, parent, submission.document),
    validator_version: VALIDATOR_VERSION,
    ...validation,
    outline,
  };
  const created: SessionDraft = { kind: 'revision.created', data, documents: [text] };
  if (!approve) return [created];
  const review = { revision_id, content_hash, verdict: 'APPROVE' as const, caveats: [] };
  return [created, { kind: 'review.submitted', data: review }];
}

/** Maximum length of the operations that an event stores, in characters of their JSON text. */
const MAX_OPS_CHARS = 4_000;

const changesOfObject = memoizeBy(
  (value: object, parent: Revision, document: ReadDocument) =>
    boundedOps(changesBetween(JSON.parse(document(parent.content_hash)), value).map(shownOp)),
  ({ content_hash }) => content_hash,
);

/** The changes from the parent to the new contract. Empty for the first revision. */
const changesIn = (value: unknown, parent: Revision | null, document: ReadDocument) =>
  parent && isObject(value) ? changesOfObject(value, parent, document) : {};

function boundedOps(ops: readonly ShownOp[]) {
  let chars = 0;
  const shown = ops.filter((op) => {
    const length = JSON.stringify(op).length;
    if (chars + length > MAX_OPS_CHARS) return false;
    chars += length;
    return true;
  });
  const leftOut = ops.length - shown.length;
  return { ops: shown.map((op) => ({ ...op })), ...(leftOut > 0 ? { ops_left_out: leftOut } : {}) };
}

function storedValidation(state: SessionState, value: unknown, contentHash: string, parent: Revision | null) {
  const { contract, issues, errorCount, warningCount } = checkOf(state, value);
  const unchanged = parent?.content_hash === contentHash ? [unchangedFrom(parent.revision_id)] : [];
  const repeated = repeatedIn(state, value);
  return {
    issues: [...issues, ...unchanged, ...repeated].slice(0, MAX_ISSUES + 1).map((issue) => ({ ...issue })),
    error_count: errorCount,
    warning_count: warningCount + unchanged.length + repeated.length,
    outline: contract && { ...outlineOf(contract), ...citedIn(contract) },
  };
}

const citedIn = (contract: Contract) => {
  const cited = citedDecisions(contract);
  return cited.length > 0 ? { cited: [...cited] } : {};
};

/**
 * Returns the RFC 8785 form of a contract. Refuses a contract whose form is too long or too deep for an input, because
 * nobody could submit the stored form again.
 */
function canonicalText(value: unknown): string {
  if (!isRecord(value)) return refuse('Must be a JSON object.');
  if (isTooDeep(value)) return refuse(`Must not nest deeper than ${MAX_JSON_DEPTH - 1} levels.`);
  const text = canonicalJson(value);
  const chars = countCharacters(text);
  return chars > MAX_BODY_CHARS
    ? refuse(`Must have at most ${MAX_BODY_CHARS} characters in its RFC 8785 form; it has ${chars}.`)
    : text;
}

const refuse = (message: string): never => refuseInput([{ path: 'contract', message }]);

const isTooDeep = memoizeBy((value: object): boolean => isDeeperThan(value, MAX_JSON_DEPTH - 1));

function isDeeperThan(value: object, limit: number): boolean {
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((node) => Object.values(node).filter((inner) => typeof inner === 'object' && inner !== null));
  }
  return false;
}

const TITLE_CHARS = 200;

/** Cuts the title of a contract to `TITLE_CHARS`, the maximum length of a title in lists and in the transcript. */
function titleOf(value: unknown): string {
  const title: unknown = Object(value).title;
  if (typeof title !== 'string') return '';
  const characters = Array.from(title);
  return characters.length > TITLE_CHARS ? `${characters.slice(0, TITLE_CHARS - 1).join('')}…` : title;
}

export const NewRevision = namedObject('NewRevision', {
  ...RevisionFields,
  status: z.enum(REVISION_STATUSES),
  ...ValidationViewFields,
  preflight: z
    .strictObject({ kept: z.int(), to_map: z.array(z.string()) })
    .optional()
    .describe('kept: number of mappings that still fit; to_map: requirements to map again with submit_preflight.'),
  reviewers: z.array(BuilderRole).describe('Roles that must review the revision now; earlier reviews no longer count.'),
});

export function viewNewRevision(state: SessionState): z.output<typeof NewRevision> {
  const { latest, checked } = state.contract;
  if (!latest) throw new Error('A new revision was stored, but the state does not contain it.');
  const lists = boundedLists(LIST_COST);
  const preflight = listPreflight(lists, state);
  const validation = listValidation(lists, checked.validator_version, validationOf(state));
  return {
    ...viewRevision(latest),
    status: statusOfLatest(state),
    ...validation(),
    ...preflight(),
    reviewers: BUILDERS.filter((builder) => !currentReview(state, builder)),
    ...lists.leftOut(),
  };
}

/**
 * Makes the member `preflight` of the answer: the number of mappings that still fit the latest revision, and the
 * requirements that must be mapped again. The member is left out if there is no preflight, or if the revision breaks
 * the schema.
 */
function listPreflight(
  lists: BoundedLists,
  { preflight, contract: { outline } }: SessionState,
): () => Pick<z.output<typeof NewRevision>, 'preflight'> {
  if (!preflight || !outline) return () => ({});
  const faults = preflightFaults(outline, preflight.mappings).map(({ requirement_id }) => requirement_id);
  const kept = preflight.mappings.length - faults.length;
  const toMap = lists.list({ records: faults, view: (id) => id, how: () => 'get_preflight lists them.' });
  return () => ({ preflight: { kept, to_map: toMap() } });
}

/** Refuses a caller that is not the Contract Author. The events that make the caller of the first revision the author. */
function authorDrafts(state: SessionState, caller: Caller): SessionDraft[] {
  const { role } = caller;
  const claim = claimOf(state, role);
  if (!claim || !isBuilder(role)) {
    requireAuthor(state, role);
    return [];
  }
  if (claim === 'nominated') requireScope(state, caller, 'elect_contract_author');
  return submissionDrafts(state, role);
}

/**
 * The members that the operations `submit_contract`, `submit_position` and `propose_revision` share. Each adds its
 * name, route and scope.
 */
export const submissionParts = {
  phases: ['PLANNING', 'CONTRACT'],
  input: SubmissionInput,
  output: NewRevision,
  errors: ['NOT_CONTRACT_AUTHOR', 'STALE_PARENT', 'UNKNOWN_RECORD', 'INVALID_INPUT'] as const,

  documents: latestDocument,

  precompute: (state: SessionState, { contract }: SubmissionInput, _caller: unknown, document: ReadDocument) =>
    precomputeSubmission(state, storedForm(state, contract), document),

  decide(
    state: SessionState,
    { contract, expected_parent_id, ...why }: SubmissionInput,
    caller: Caller,
    { document }: { readonly document: ReadDocument },
  ) {
    const elected = authorDrafts(state, caller);
    if (why.approve) requireScope(state, caller, 'submit_final_review');
    const parent = requireParent(state, expected_parent_id);
    return [...elected, ...revisionDrafts(state, { value: storedForm(state, contract), parent, document, ...why })];
  },

  reply: viewNewRevision,
};

const Run = contractEvents['contract.validated'].data;

/**
 * Spec 4.2. Stores the result for the record only: no rule reads it, because blockers are computed from the current
 * state.
 */
export const revalidateContract = defineOperation({
  name: 'revalidate_contract',
  summary: 'Validate a revision again.',
  rest: 'POST contract/revalidate',
  access: { builder: 'get_final_plan' },
  input: z.strictObject({ revision_id: RevisionId.optional() }),
  output: z.strictObject({
    run_id: z.string(),
    revision_id: RevisionId,
    content_hash: z.string(),
    at: At,
    valid: z.boolean(),
    ...ValidationFields,
    blockers: Run.shape.blockers,
  }),
  errors: ['UNKNOWN_RECORD'],

  documents(state, { revision_id }) {
    const revision = revisionFor(state, revision_id);
    return revision ? [revision.content_hash] : [];
  },

  *precompute(state, { revision_id }, _caller, document) {
    const revision = revisionFor(state, revision_id);
    if (!revision) return;
    const value = contractAt(state, revision, document);
    yield checkOf(state, value);
    yield repeatedIn(state, value);
  },

  decide(state, { revision_id }, _caller, env) {
    const revision = revision_id ? revisionOf(state, revision_id) : state.contract.latest;
    return [runDraft(state, revision ?? noRevisionYet(), env)];
  },

  reply(_state, _input, { events: [event] }) {
    const { issues, stored: _stored, ...run } = Run.parse(event?.data);
    const lists = boundedLists(LIST_COST);
    const errors = listIssues(lists, errorsIn(issues));
    const warnings = listIssues(lists, warningsIn(issues));
    const blockers = lists.list({
      records: run.blockers,
      view: (blocker) => blocker,
      how: () => pageCall('list_blockers', 0),
    });
    return {
      ...run,
      at: event?.at ?? '',
      valid: run.error_count === 0,
      errors: errors(),
      warnings: warnings(),
      blockers: blockers(),
      ...lists.leftOut(),
    };
  },
});

const revisionFor = ({ contract }: SessionState, id: string | undefined): Revision | null | undefined =>
  id === undefined ? contract.latest : lookUp(contract.revisions, id);

const contractAt = memoizeBy(
  (_state: SessionState, { content_hash }: Revision, document: ReadDocument): unknown =>
    JSON.parse(document(content_hash)),
  ({ content_hash }) => content_hash,
);

function runDraft(state: SessionState, revision: Revision, { document }: DecideEnv): SessionDraft {
  const { revision_id, content_hash, parent_id } = revision;
  const value = contractAt(state, revision, document);
  const parent = parent_id === null ? null : revisionOf(state, parent_id);
  const { outline, ...stored } = storedValidation(state, value, content_hash, parent);
  const validation = validationFrom(state, stored, outline);
  return {
    kind: 'contract.validated',
    data: {
      run_id: `run_${state.contract.runs + 1}`,
      revision_id,
      content_hash,
      validator_version: VALIDATOR_VERSION,
      issues: [...validation.errors, ...validation.warnings].map(viewIssue),
      error_count: validation.error_count,
      warning_count: validation.warning_count,
      stored,
      blockers: stoppingTasks(state).map(({ due_to: responsible, stops: { code, record } }) => ({
        code,
        record: record.id,
        responsible,
      })),
    },
  };
}
