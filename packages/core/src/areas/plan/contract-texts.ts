import { z } from 'zod';
import { type BoundedLists, costOf, costOfJson } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { textPiece } from '../../kernel/operation/text-piece.ts';
import { StoredContract } from '../document/contract.ts';
import type { DecidedText } from '../rendering/decisions.ts';
import { markdownOf } from '../rendering/revision-markdown.ts';

const PARTS = ['contract', 'markdown'] as const;
const ContractFormat = z.enum(['both', 'structured', 'markdown']);
documented.add(ContractFormat, { id: 'ContractFormat' });

/** Selects one of the texts of a revision, in pieces. */
export const PieceInput = z.strictObject({
  part: z.enum(PARTS).optional().describe('Only this text, by pieces.'),
  from: z.int().min(0).max(10_000_000).optional().describe('Position to start at.'),
  format: ContractFormat.optional(),
});

/** Members for a contract in an answer: the contract as JSON and as Markdown, or a piece of one of these texts. */
export const PIECE_FIELDS = {
  contract: StoredContract.nullable(),
  markdown: z.string().nullable(),
  piece: z
    .strictObject({ part: z.enum(PARTS), from: z.int(), text: z.string() })
    .register(documented, { id: 'Piece' })
    .optional()
    .describe('Piece of the text selected by part.'),
};

/** Maximum cost of an answer with JSON and Markdown. An agent's answer is smaller, because MCP clients limit it. */
export const WHOLE_COST = { agent: 950_000, owner: 1_900_000 } as const;
const PIECE_COST = 600_000;

interface Revision {
  readonly hash: string;
  readonly document: ReadDocument;
  /** Texts of the decisions that the contract names, for the Markdown. */
  readonly decided?: readonly DecidedText[];
  readonly input: z.output<typeof PieceInput>;
  /** All other members of the answer. */
  readonly rest: object;
  /** Start of the sentence with the call for the next piece, such as `Call revision with …`. */
  readonly call: string;
  /** Maximum cost of the whole answer. */
  readonly maxCost: number;
}

/**
 * JSON and Markdown if both fit into the answer; else the JSON alone, or neither, with the call that reads the texts in
 * pieces.
 */
export function contractTexts(lists: BoundedLists, { hash, document, decided, input, rest, call, maxCost }: Revision) {
  const { part, from = 0, format = 'both' } = input;
  const texts = { contract: document(hash), markdown: markdownOf(hash, document(hash), decided) };
  const leave = (name: (typeof PARTS)[number], at: number): void => {
    const count = texts[name].length - at;
    if (count > 0) lists.leave({ count, how: `${call} part: "${name}" and from: ${at}; counted in characters.` });
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
