import { z } from 'zod';
import { type BoundedLists, costOf, costOfJson } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { textPiece } from '../../kernel/operation/text-piece.ts';
import { StoredContract } from '../document/contract.ts';
import { markdownOf } from '../rendering/revision-markdown.ts';

const PARTS = ['contract', 'markdown'] as const;

/** A revision whole, or one of its texts by pieces. */
export const PieceInput = z.strictObject({
  part: z.enum(PARTS).optional().describe('This text alone, in pieces: the RFC 8785 form or the Markdown.'),
  from: z.int().min(0).max(10_000_000).optional().describe('Position in that text.'),
});

/** What an answer holds of a contract: both its forms, or a piece of one. */
export const PIECE_FIELDS = {
  contract: StoredContract.nullable(),
  markdown: z.string().nullable(),
  piece: z
    .strictObject({ part: z.enum(PARTS), from: z.int(), text: z.string() })
    .register(documented, { id: 'Piece' })
    .optional()
    .describe('Of the text that was asked for by part.'),
};

/** What an answer with both forms may cost: to an agent, and to the owner, who has no MCP. */
export const WHOLE_COST = { agent: 950_000, owner: 1_900_000 } as const;
const PIECE_COST = 600_000;

interface Revision {
  readonly hash: string;
  readonly document: ReadDocument;
  readonly input: z.output<typeof PieceInput>;
  /** All else that the answer holds. */
  readonly rest: object;
  /** How the call of the operation begins, the same for each piece. */
  readonly call: string;
  /** What the whole answer may cost. */
  readonly maxCost: number;
}

/** Both forms where they fit; else the contract alone, or neither, and how their texts are read. */
export function contractTexts(lists: BoundedLists, { hash, document, input, rest, call, maxCost }: Revision) {
  const { part, from = 0 } = input;
  const texts = { contract: document(hash), markdown: markdownOf(hash, document(hash)) };
  const leave = (name: (typeof PARTS)[number], at: number): void => {
    const count = texts[name].length - at;
    if (count > 0) lists.leave({ count, how: `${call} part: "${name}" and from: ${at}; counted in characters.` });
  };
  if (part !== undefined) {
    const { text, end } = textPiece(texts[part], from, PIECE_COST);
    leave(part, end);
    return { contract: null, markdown: null, piece: { part, from, text } };
  }
  const room = maxCost - costOf(rest);
  const cost = costOfJson(texts.contract);
  const hasContract = cost <= room;
  const hasMarkdown = cost + costOf(texts.markdown) <= room;
  if (!hasContract) leave('contract', 0);
  if (!hasMarkdown) leave('markdown', 0);
  return {
    contract: hasContract ? JSON.parse(texts.contract) : null,
    markdown: hasMarkdown ? texts.markdown : null,
  };
}
