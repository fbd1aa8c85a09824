/**
 * Scans a JSON text once, from its beginning, for faults that `JSON.parse` accepts. The time is linear in the length of the
 * text.
 */
import { MAX_JSON_DEPTH } from '../limits.ts';

/** Faults that `JSON.parse` accepts and `readJson` refuses: a phrase for the error message, and a phrase for the hint. */
export const FAULTS = {
  depth: [`is nested deeper than ${MAX_JSON_DEPTH} levels`, 'nest it less deeply'],
  name: ['is a member name that is not allowed', 'give the member another name'],
  nul: ['holds the character U+0000', 'leave that character out'],
  number: ['is a number that cannot be kept exactly', 'send it as a string'],
  surrogate: ['holds a lone surrogate', 'write the whole character, or leave it out'],
  twice: ['is named twice', 'name it once'],
} as const;

export type FaultKind = keyof typeof FAULTS;
export type Path = readonly (string | number)[];

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const ARRAY_OPENER = 91;
const ARRAY_CLOSER = 93;
const OBJECT_OPENER = 123;
const OBJECT_CLOSER = 125;
const [ZERO, NINE] = [48, 57];
const [PLUS, MINUS, POINT] = [43, 45, 46];
const [LOWER_E, UPPER_E] = [101, 69];
/** A shorter number without an exponent is below 2^53, so it is not checked. */
const MANY_DIGITS = 16;

/** An object or array that the scan has entered and not left yet. */
interface Frame {
  /** Names of the members so far; null if this is an array. */
  readonly names: Set<string> | null;
  name: string;
  index: number;
}

/** Ends the scan at the first fault. It is thrown and caught in this file only. */
class FoundFault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly path: Path,
  ) {
    super();
  }
}

/** Ends the scan at a text that is not JSON. It is thrown and caught in this file only. */
class NotJson extends Error {}

/**
 * Returns the first fault of a JSON text. If the text is not JSON, the fault is the first one before that, or undefined.
 *
 * @param isRefused whether a number is a fault; asked for numbers that are long or have an exponent
 */
export function faultIn(
  text: string,
  isRefused: (literal: string) => boolean,
): { readonly kind: FaultKind; readonly path: Path } | undefined {
  try {
    scan(text, isRefused);
  } catch (error) {
    if (error instanceof FoundFault) return error;
    if (!(error instanceof NotJson)) throw error;
  }
  return undefined;
}

function scan(text: string, isRefused: (literal: string) => boolean): void {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  // If the text contains no backslash, NUL or lone surrogate, a string can have a fault only as the name of a member.
  // Other strings are then not checked.
  const isPlain = !text.includes('\\') && !text.includes('\u0000') && text.isWellFormed();
  let isName = false;
  let number = -1;
  let hasExponent = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      if (number < 0) number = at;
      continue;
    }
    if (number >= 0) {
      if (continuesNumber(code)) {
        hasExponent ||= code >= UPPER_E;
        continue;
      }
      if ((hasExponent || at - number >= MANY_DIGITS) && isRefused(text.slice(number, at))) refuseAt('number', frames);
      number = -1;
      hasExponent = false;
    }
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at + 1, isPlain);
        if (isName || !isPlain) checkString(text.slice(at + 1, end), frames, isName);
        at = end;
        isName = false;
        break;
      }
      case OBJECT_OPENER:
      case ARRAY_OPENER:
        if (frames.length === MAX_JSON_DEPTH) refuseAt('depth', frames);
        isName = code === OBJECT_OPENER;
        frame = { names: isName ? new Set() : null, name: '', index: 0 };
        frames.push(frame);
        break;
      case OBJECT_CLOSER:
      case ARRAY_CLOSER:
        frames.pop();
        frame = frames.at(-1);
        isName = false;
        break;
      case COMMA:
        isName = frame !== undefined && frame.names !== null;
        if (frame) frame.index += 1;
        break;
      case COLON:
        isName = false;
        break;
    }
  }
  if (number >= 0 && isRefused(text.slice(number))) refuseAt('number', frames);
}

/** Whether the character can follow a digit in a number. */
const continuesNumber = (code: number): boolean =>
  code === POINT || code === LOWER_E || code === UPPER_E || code === MINUS || code === PLUS;

function refuseAt(kind: FaultKind, frames: readonly Frame[]): never {
  throw new FoundFault(
    kind,
    frames.map(({ names, name, index }) => (names ? name : index)),
  );
}

function endOfString(text: string, from: number, isPlain: boolean): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isPlain || !isEscaped(text, from, at)) return at;
  }
  throw new NotJson();
}

/** Whether an odd number of backslashes stands before the character at `at`. The string begins at `from`. */
function isEscaped(text: string, from: number, at: number): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Checks a string of the text, or the name of a member.
 *
 * @param raw the text of the string between its quotes
 */
function checkString(raw: string, frames: readonly Frame[], isName: boolean): void {
  const value = raw.includes('\\') ? unescaped(raw) : raw;
  const frame = isName ? frames.at(-1) : undefined;
  if (frame) frame.name = value;
  if (value.includes('\u0000')) refuseAt('nul', frames);
  if (!value.isWellFormed()) refuseAt('surrogate', frames);
  if (!frame?.names) return;
  if (value === '__proto__') refuseAt('name', frames);
  if (frame.names.has(value)) refuseAt('twice', frames);
  frame.names.add(value);
}

function unescaped(raw: string): string {
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    throw new NotJson();
  }
}
