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
  scan(text);
  const value = parsed(text);
  return isInRange(value) ? value : refuse('holds a number that is too large');
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

/** Like {@link parseJson}, for bodies that must be an object; an empty text reads as an empty object. */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = text === '' ? {} : parseJson(text);
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
const OPENERS = new Set([91, 123]);
const CLOSERS = new Set([93, 125]);
const OBJECT_OPENER = 123;

/** Member names of one open object, or null for an open array. */
type Scope = Set<string> | null;

function scan(text: string): void {
  const scopes: Scope[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at + 1);
      checkString(text, at + 1, end, isName ? (scopes.at(-1) ?? null) : null);
      at = end;
      isName = false;
    } else if (OPENERS.has(code)) {
      scopes.push(code === OBJECT_OPENER ? new Set() : null);
      if (scopes.length > MAX_JSON_DEPTH) refuse(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
      isName = code === OBJECT_OPENER;
    } else if (CLOSERS.has(code)) {
      scopes.pop();
      isName = false;
    } else if (code === COMMA) {
      isName = (scopes.at(-1) ?? null) !== null;
    } else if (code === COLON) {
      isName = false;
    }
  }
}

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return refuse('is not valid JSON');
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
