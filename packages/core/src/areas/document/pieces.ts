const PIECE_ITEMS = 512;
const PIECES = Symbol('pieces');

/**
 * An array that is stored in several pieces. An insertion or a removal moves only the items of one piece, so that
 * thousands of operations on an array of 100,000 items stay fast. The symbol distinguishes `Pieces` from JSON values.
 */
export interface Pieces {
  readonly [PIECES]: unknown[][];
  length: number;
}

export function piecesOf(items: readonly unknown[]): Pieces {
  const pieces: unknown[][] = [];
  for (let from = 0; from < items.length; from += PIECE_ITEMS) pieces.push(items.slice(from, from + PIECE_ITEMS));
  return { [PIECES]: pieces.length > 0 ? pieces : [[]], length: items.length };
}

export const isPieces = (value: unknown): value is Pieces =>
  typeof value === 'object' && value !== null && PIECES in value;

export const itemsOf = (array: Pieces): unknown[] => array[PIECES].flat();

/** Finds the piece that contains an index. For the index after the last item, returns the last piece. */
function locate({ [PIECES]: pieces }: Pieces, index: number): { piece: unknown[]; at: number; number: number } {
  let at = index;
  let number = 0;
  let piece = pieces[0] ?? [];
  while (at >= piece.length && number < pieces.length - 1) {
    at -= piece.length;
    number += 1;
    piece = pieces[number] ?? [];
  }
  return { piece, at, number };
}

export function itemAt(array: Pieces, index: number): unknown {
  const { piece, at } = locate(array, index);
  return piece[at];
}

export function setItem(array: Pieces, index: number, value: unknown): void {
  const { piece, at } = locate(array, index);
  piece[at] = value;
}

export function insertItem(array: Pieces, index: number, value: unknown): void {
  const { piece, at, number } = locate(array, index);
  piece.splice(at, 0, value);
  array.length += 1;
  if (piece.length > 2 * PIECE_ITEMS) {
    array[PIECES].splice(number, 1, piece.slice(0, PIECE_ITEMS), piece.slice(PIECE_ITEMS));
  }
}

export function removeItem(array: Pieces, index: number): void {
  const { piece, at } = locate(array, index);
  piece.splice(at, 1);
  array.length -= 1;
}
