/** Tells which numbers of a JSON text keep their value when they are read as a double and written again. */

/**
 * Whether reading a number and writing it again gives another number. A fraction and a small number count as kept, because
 * every reader of JSON takes the nearest double for them; beyond 2^53 - 1 the digits themselves would change.
 *
 * @param literal the number as a JSON text
 */
export function isChangedByReading(literal: string): boolean {
  if (!isBeyondSafeInteger(literal)) return false;
  const read = Number(literal);
  return !Number.isFinite(read) || decimalOf(literal) !== decimalOf(String(read));
}

/**
 * Whether a number that a JavaScript program passed can stand for another one: a program that reads or contains a longer whole
 * number has already changed it.
 *
 * @param literal the number as a JSON text
 */
export const isBeyondSafeInteger = (literal: string): boolean => Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER;

const [ZERO, MINUS] = [48, 45];

/** The value of a number other than 0 as its significant digits and a power of ten; the sign is left out. */
function decimalOf(literal: string): string {
  const lower = literal.toLowerCase();
  const e = lower.indexOf('e');
  const mantissa = e < 0 ? lower : lower.slice(0, e);
  const point = mantissa.indexOf('.');
  const digits = point < 0 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1);
  let from = 0;
  while (digits.charCodeAt(from) === ZERO || digits.charCodeAt(from) === MINUS) from += 1;
  let to = digits.length;
  while (digits.charCodeAt(to - 1) === ZERO) to -= 1;
  const power = (e < 0 ? 0 : Number(lower.slice(e + 1))) - (point < 0 ? 0 : mantissa.length - point - 1);
  return `${digits.slice(from, to)}e${power + digits.length - to}`;
}
