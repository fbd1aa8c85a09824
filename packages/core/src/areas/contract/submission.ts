import { MAX_BODY_CHARS, MAX_JSON_DEPTH } from '../../kernel/limits.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { canonicalJson } from '../../kernel/text/canonical.ts';
import { countCharacters } from '../../kernel/text/characters.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import { sha256Hex } from '../../kernel/text/sha256.ts';
import type { SessionDraft } from '../catalog.ts';
import type { Contract } from '../document/contract.ts';
import { changesBetween } from '../document/diff.ts';
import { outlineOf } from '../document/outline.ts';
import { type ShownOp, shownOp } from '../document/shown-changes.ts';
import type { SessionState } from '../state.ts';
import { citedDecisions } from '../validation/cited-decisions.ts';
import { activePositions, missionFacts } from '../validation/facts.ts';
import { type Issue, MAX_ISSUES } from '../validation/issue.ts';
import { repeatedDecisions } from '../validation/repeated-decision.ts';
import { unchangedFrom } from '../validation/unchanged-content.ts';
import { type ContractCheck, checkContract, VALIDATOR_VERSION } from '../validation/validate.ts';
import { requireCauses } from './causes.ts';
import type { Revision } from './record.ts';

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
  readonly document: ReadDocument;
}

/** The event that stores a new revision, whose document is the RFC 8785 form of the contract. */
export function revisionDraft(state: SessionState, submission: Submission): SessionDraft {
  const { parent, reason, causes } = submission;
  requireCauses(state, causes ?? []);
  const text = canonicalOf(submission.value);
  const content_hash = sha256Hex(text);
  const { outline, ...validation } = storedValidation(state, submission.value, content_hash, parent);
  const data = {
    revision_id: `r_${state.contract.revisions.size + 1}`,
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
  return { kind: 'revision.created', data, documents: [text] };
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

export function storedValidation(state: SessionState, value: unknown, contentHash: string, parent: Revision | null) {
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
