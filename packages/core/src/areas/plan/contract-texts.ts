import { z } from 'zod';
import { type BoundedLists, costOf, costOfJson } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { textPiece } from '../../kernel/operation/text-piece.ts';
import { StoredContract } from '../document/contract.ts';
import type { DecidedText } from '../rendering/contract/decisions.ts';
import { markdownOf } from '../rendering/contract/revision-markdown.ts';

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
  piece: z
    .strictObject({ part: z.enum(PARTS), from: z.int(), text: z.string() })
    .register(documented, { id: 'Piece' })
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
export function contractTexts(lists: BoundedLists, { hash, document, decided, input, rest, call, maxCost }: Revision) {
  const { part, from = 0, format = 'both' } = input;
  const texts = { contract: document(hash), markdown: markdownOf(hash, document(hash), decided) };
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
