import { z } from 'zod';
import {
  type BoundedLists,
  boundedLists,
  costOf,
  costOfJson,
  LEFT_OUT,
  textPiece,
} from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument, ReplyContext } from '../../kernel/operation/operation.ts';
import { latestDocument, listValidation, ValidationViewFields, validationOf, viewRevision } from '../contract/rules.ts';
import { RevisionFields } from '../contract/state.ts';
import { StoredContract } from '../document/contract.ts';
import { decidedTexts } from '../planning/decisions.ts';
import { type ProfileTerms, termsOf } from '../profiles.ts';
import { type DecidedText, markdownOf } from '../rendering/contract.ts';
import { listReviews } from '../reviews/rules.ts';
import { ReviewView } from '../reviews/state.ts';
import type { SessionState } from '../state.ts';
import { isCertified } from '../tasks/agent-tasks.ts';
import { REVISION_STATUSES, statusOfLatest } from './rules.ts';

const PARTS = ['contract', 'markdown'] as const;
const ContractFormat = z.enum(['both', 'structured', 'markdown']);
documented.add(ContractFormat, { id: 'ContractFormat' });

/** Selects a text of a revision, and the position from which the text is read. */
export const PieceInput = z.strictObject({
  part: z.enum(PARTS).optional().describe('Return a piece of this text.'),
  from: z.int().min(0).max(10_000_000).optional().describe('Character to start at, from 0.'),
  format: ContractFormat.optional(),
});

/** The members of an answer that show a contract: as JSON and as Markdown, or a piece of one of these two texts. */
export const PIECE_FIELDS = {
  contract: StoredContract.nullable(),
  markdown: z.string().nullable(),
  piece: namedObject('Piece', { part: z.enum(PARTS), from: z.int(), text: z.string() })
    .optional()
    .describe('Piece of the text selected by part.'),
};

/**
 * Maximum size of an answer with the JSON and the Markdown of a contract, in bytes as `costOf` counts them. It is
 * smaller for agents, because MCP clients limit the size of an answer.
 */
export const WHOLE_COST = { agent: 950_000, owner: 1_900_000 } as const;
const PIECE_COST = 600_000;

interface Revision {
  readonly hash: string;
  readonly document: ReadDocument;
  /** Texts of the decisions that the contract names. The Markdown of the contract contains them. */
  readonly decided?: readonly DecidedText[];
  readonly terms: ProfileTerms;
  readonly input: z.output<typeof PieceInput>;
  /** The other members of the answer. Their size reduces the room for the contract. */
  readonly rest: object;
  /** The beginning of the sentence that names the call for the next piece, such as `Call revision with …`. */
  readonly call: string;
  /** Maximum size of the whole answer, in bytes as `costOf` counts them. */
  readonly maxCost: number;
}

/**
 * The texts of the contract that `format` selects: JSON and Markdown if the answer can hold both, else JSON alone, else
 * neither. For a missing text, the answer names the call that reads it in pieces. With `part`, only a piece of the
 * text that `part` names.
 */
export function contractTexts(
  lists: BoundedLists,
  { hash, document, decided, terms, input, rest, call, maxCost }: Revision,
) {
  const { part, from = 0, format = 'both' } = input;
  const texts = { contract: document(hash), markdown: markdownOf({ hash, text: document(hash), decided, terms }) };
  const leave = (name: (typeof PARTS)[number], at: number): void => {
    const count = texts[name].length - at;
    if (count > 0) lists.leave({ count, how: `${call} part: "${name}" and from: ${at} (a number of characters).` });
  };
  if (part !== undefined) {
    const { text, end } = textPiece(texts[part], from, PIECE_COST);
    leave(part, end);
    return { contract: null, markdown: null, piece: { part, from, text } };
  }
  const isWanted = { contract: format !== 'markdown', markdown: format !== 'structured' };
  const room = maxCost - costOf(rest);
  const cost = isWanted.contract ? costOfJson(texts.contract) : 0;
  const hasContract = isWanted.contract && cost <= room;
  const hasMarkdown = isWanted.markdown && cost + costOf(texts.markdown) <= room;
  if (isWanted.contract && !hasContract) leave('contract', 0);
  if (isWanted.markdown && !hasMarkdown) leave('markdown', 0);
  return {
    contract: hasContract ? JSON.parse(texts.contract) : null,
    markdown: hasMarkdown ? texts.markdown : null,
  };
}

/** Spec 2. All members of the latest revision. */
export const PlanView = namedObject('Plan', {
  revision_id: RevisionFields.revision_id.nullable(),
  parent_id: RevisionFields.parent_id,
  content_hash: RevisionFields.content_hash.nullable(),
  title: RevisionFields.title.nullable(),
  bytes: RevisionFields.bytes.nullable(),
  author: RevisionFields.author.nullable(),
  reason: RevisionFields.reason.nullable(),
  causes: RevisionFields.causes,
  created_at: RevisionFields.created_at.nullable(),
  status: z.enum(REVISION_STATUSES).nullable(),
  certified: z.boolean(),
  ...ValidationViewFields,
  validator_version: ValidationViewFields.validator_version.nullable(),
  ...PIECE_FIELDS,
  reviews: z.array(ReviewView).describe("Each builder's latest review; outdated when it concerns an earlier revision."),
  ...LEFT_OUT,
});

const NOTHING = {
  revision_id: null,
  parent_id: null,
  content_hash: null,
  title: null,
  bytes: null,
  author: null,
  reason: null,
  created_at: null,
  status: null,
  certified: false,
  contract: null,
  validator_version: null,
  validation_errors: [],
  validation_warnings: [],
  error_count: 0,
  warning_count: 0,
  markdown: null,
  reviews: [],
};

/** Renders the Markdown of the contract, which is the expensive step of this view. */
function* precomputePlan(state: SessionState, document: ReadDocument): Generator<unknown> {
  const { latest } = state.contract;
  if (!latest) return;
  const { content_hash: hash, revision_id } = latest;
  yield markdownOf({ hash, text: document(hash), decided: decidedIn(state, revision_id), terms: termsOf(state) });
}

/**
 * Texts of the decisions that a revision names. Empty for an earlier revision, because the state contains only the
 * outline of the latest revision.
 */
export const decidedIn = ({ decisions, contract: { outline, latest } }: SessionState, revisionId: string) =>
  revisionId === latest?.revision_id ? decidedTexts(decisions, outline?.decisions ?? []) : [];

/** Maximum size of the validation and the reviews in the answer, in bytes as `costOf` counts them. */
const BESIDE_CONTRACT_COST = 300_000;

/** The members that the operations `get_final_plan` and `plan` share. Each of the two adds its name and its access. */
export const planParts = {
  summary: 'Read the latest revision: contract, hash, validation, reviews.',
  input: PieceInput,
  output: PlanView,
  documents: latestDocument,
  precompute: (state: SessionState, _input: z.output<typeof PieceInput>, _caller: unknown, document: ReadDocument) =>
    precomputePlan(state, document),
};

/**
 * Makes the function `reply` of an operation that shows the latest revision.
 * @param tool name of the operation that the answer names as the call for the next page
 * @param maxCost maximum size of the whole answer, in bytes as `costOf` counts them
 */
export const planReply =
  (tool: string, maxCost: number) =>
  (
    state: SessionState,
    input: z.output<typeof PieceInput>,
    { document }: Pick<ReplyContext, 'document'>,
  ): z.output<typeof PlanView> => {
    const { latest, checked } = state.contract;
    if (!latest) return NOTHING;
    const lists = boundedLists(BESIDE_CONTRACT_COST);
    const validation = listValidation(lists, checked.validator_version, validationOf(state));
    const reviews = listReviews(lists, state);
    const rest = {
      ...viewRevision(latest),
      status: statusOfLatest(state),
      certified: isCertified(state),
      ...validation(),
      reviews: reviews(),
    };
    const hash = latest.content_hash;
    const call = `Call ${tool} with`;
    const decided = decidedIn(state, latest.revision_id);
    const texts = contractTexts(lists, { hash, document, decided, terms: termsOf(state), input, rest, call, maxCost });
    return { ...rest, ...texts, ...lists.leftOut() };
  };
