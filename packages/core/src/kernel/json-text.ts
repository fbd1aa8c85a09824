import { fail } from './errors.ts';
import { MAX_JSON_DEPTH } from './limits.ts';
import { quotedName } from './shown-name.ts';

/**
 * Parses a JSON text after one linear scan for what `JSON.parse` hides: depth over 64, a member named twice,
 * `__proto__`, U+0000, lone surrogates and numbers that do not fit a double.
 *
 * @throws ParleyError INVALID_JSON naming the first fault and its offset
 */
export function parseJson(text: string): unknown {
  const { hasLargeNumber } = scan(text);
  const value = parsed(text);
  return !hasLargeNumber || isInRange(value) ? value : refuse('holds a number that is too large');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
}

/** `JSON.parse` reads a number beyond a double as infinite, which no text could say again. */
function isInRange(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isInRange);
}

/** Like {@link parseJson}, for bodies that must be an object; white space alone reads as an empty object. */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = /^[ \t\r\n]*$/.test(text) ? {} : parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('is not a JSON object');
  return value as Record<string, unknown>;
}

/** A value from inside the process as a client would have sent it: what JSON cannot say is dropped or refused alike. */
export const plainJson = (value: unknown): unknown => parseJson(written(value));

function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return refuse('cannot be written as JSON');
  }
}

const refuse = (fault: string): never => fail('INVALID_JSON', `The body ${fault}.`);

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const ARRAY_OPENER = 91;
const ARRAY_CLOSER = 93;
const OBJECT_OPENER = 123;
const OBJECT_CLOSER = 125;
const [ZERO, NINE] = [48, 57];
const [LOWER_E, UPPER_E] = [101, 69];
/** A double holds 308 digits before its point. */
const MANY_DIGITS = 300;

/** Member names of one open object, or null for an open array. */
type Scope = Set<string> | null;

interface Scanned {
  /** Whether a number of many digits or with an exponent stands in the text: only such a one can lie beyond a double. */
  readonly hasLargeNumber: boolean;
}

function scan(text: string): Scanned {
  const scopes: Scope[] = [];
  // Then no string holds anything worth a look but the names of members.
  const isPlain = !text.includes('\\') && !text.includes('\u0000') && text.isWellFormed();
  let isName = false;
  let digits = 0;
  let hasLargeNumber = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      digits += 1;
      hasLargeNumber ||= digits === MANY_DIGITS;
      continue;
    }
    hasLargeNumber ||= digits > 0 && (code === LOWER_E || code === UPPER_E);
    digits = 0;
    switch (code) {
      case QUOTE: {
        const end = endOfString(text, at + 1, isPlain);
        if (isName || !isPlain) checkString(text, at + 1, end, isName ? (scopes.at(-1) ?? null) : null);
        at = end;
        isName = false;
        break;
      }
      case OBJECT_OPENER:
      case ARRAY_OPENER:
        isName = code === OBJECT_OPENER;
        scopes.push(isName ? new Set() : null);
        if (scopes.length > MAX_JSON_DEPTH) refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
        break;
      case OBJECT_CLOSER:
      case ARRAY_CLOSER:
        scopes.pop();
        isName = false;
        break;
      case COMMA:
        isName = (scopes.at(-1) ?? null) !== null;
        break;
      case COLON:
        isName = false;
        break;
    }
  }
  return { hasLargeNumber };
}

function endOfString(text: string, from: number, isPlain: boolean): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isPlain || !isEscaped(text, from, at)) return at;
  }
  return refuse('is not valid JSON');
}

/** Whether an odd number of backslashes stands before a character of a string. */
function isEscaped(text: string, from: number, at: number): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function checkString(text: string, from: number, end: number, names: Scope): void {
  const raw = text.slice(from, end);
  const value = raw.includes('\\') ? unescaped(raw, from) : raw;
  if (value.includes('\u0000')) refuse(`holds the character U+0000 near offset ${from}`);
  if (!value.isWellFormed()) refuse(`holds a lone surrogate near offset ${from}`);
  if (names) checkName(value, names);
}

function unescaped(raw: string, from: number): string {
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return refuse(`holds a malformed string near offset ${from}`);
  }
}

function checkName(name: string, names: Set<string>): void {
  if (name === '__proto__') refuse('holds a member named "__proto__"');
  if (names.has(name)) refuse(`names the member ${quotedName(name)} twice`);
  names.add(name);
}
