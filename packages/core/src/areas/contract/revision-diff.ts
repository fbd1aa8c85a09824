import { z } from 'zod';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/memoize.ts';
import { boundedLists, costOf, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ReadDocument, ReplyContext } from '../../kernel/operation/operation.ts';
import { type Change, changesBetween } from '../document/diff.ts';
import { ShownOp, shownOp } from '../document/shown-changes.ts';
import { diffText, type TextDiff } from '../document/text-diff.ts';
import { RevisionId } from '../fields.ts';
import { pageCall } from '../listing.ts';
import { markdownOf } from '../rendering/contract/revision-markdown.ts';
import type { SessionState } from '../state.ts';
import { type Revision, RevisionFields } from './record.ts';
import { noRevisionYet, unknownRevision } from './rules.ts';
import { viewRevision } from './schemas.ts';

export const RevisionDiffView = z.strictObject({
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
documented.add(RevisionDiffView, { id: 'RevisionDiff' });

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

const textOf = memoizeBy((_state: SessionState, { revision, base }: Pair, document: ReadDocument): TextDiff => {
  const before = base ? markdownOf(base.content_hash, document(base.content_hash)) : '';
  const after = markdownOf(revision.content_hash, document(revision.content_hash));
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
    for (const { content_hash } of [pair.revision, ...(pair.base ? [pair.base] : [])])
      yield markdownOf(content_hash, document(content_hash));
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
