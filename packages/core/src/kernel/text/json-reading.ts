import { fail } from '../errors.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';
import { isRecord } from './json-value.ts';
import { countCharacters } from './readable.ts';
import { placeText } from './safe-echo.ts';

/** Tells which numbers of a JSON text keep their value when they are read as a double and written again. */

/**
 * Whether reading a number and writing it again gives another number. A fraction and a small number count as kept, because
 * every reader of JSON takes the nearest double for them; beyond 2^53 - 1 the digits themselves would change.
 *
 * @param literal the number as a JSON text
 */
function isChangedByReading(literal: string): boolean {
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
const isBeyondSafeInteger = (literal: string): boolean => Math.abs(Number(literal)) > Number.MAX_SAFE_INTEGER;

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

/**
 * Finds where a text stops being JSON, because `JSON.parse` names the place in some of its errors only, in words that change; and
 * scans a JSON text once, from its beginning, for faults that `JSON.parse` accepts. The time is linear in the length of the text.
 */

const SPACE = /[ \t\n\r]*/y;
const CHARS = String.raw`(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*`;
const STRING_START = new RegExp(`"${CHARS}`, 'y');
const TOKEN = new RegExp(
  String.raw`[ \t\n\r]*(?:([{}[\],:])|("${CHARS}")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))`,
  'y',
);

/** The tokens that may begin a value and a member: marks, `s` for a string and `v` for any other plain value. */
const VALUE = '{[sv';
const NAME = 's';

/**
 * Returns the place at which a text that is not JSON goes wrong, such as `line 2, column 5`; undefined if the text ends too
 * early. The time is linear in the length of the text.
 */
function placeOfFault(text: string): string | undefined {
  const open: string[] = [];
  let allowed = VALUE;
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [token, mark, string] = TOKEN.exec(text) ?? [];
    const kind = mark ?? (string === undefined ? 'v' : 's');
    const begin = token === undefined || !allowed.includes(kind) ? skip(SPACE, text, at) : undefined;
    if (begin !== undefined) return placeAt(text, token === undefined ? skip(STRING_START, text, begin) : begin);
    allowed = following(kind, allowed, open);
  }
}

/** Updates the list of open objects and arrays, and returns the tokens that may follow a token. */
function following(kind: string, allowed: string, open: string[]): string {
  if (kind === ':') return VALUE;
  if (kind === ',') return open.at(-1) === '{' ? NAME : VALUE;
  if (kind === 's' && allowed.startsWith(NAME)) return ':';
  if (kind === '{' || kind === '[') {
    open.push(kind);
    return kind === '{' ? `${NAME}}` : `${VALUE}]`;
  }
  if (kind === '}' || kind === ']') open.pop();
  const around = open.at(-1);
  if (around === undefined) return '';
  return around === '{' ? ',}' : ',]';
}

/** Where a match that begins at `from` ends; `from` if there is none. */
function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function placeAt(text: string, at: number): string | undefined {
  if (at === text.length) return undefined;
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${countCharacters(lines.at(-1) ?? '') + 1}`;
}

/** Faults that `JSON.parse` accepts and `readJson` refuses: a phrase for the error message, and a phrase for the hint. */
const FAULTS = {
  depth: [`is nested deeper than ${MAX_JSON_DEPTH} levels`, 'nest it less deeply'],
  name: ['is a member name that is not allowed', 'give the member another name'],
  nul: ['holds the character U+0000', 'leave that character out'],
  number: ['is a number that cannot be kept exactly', 'send it as a string'],
  surrogate: ['holds a lone surrogate', 'write the whole character, or leave it out'],
  twice: ['is named twice', 'name it once'],
} as const;

type FaultKind = keyof typeof FAULTS;
export type Path = readonly (string | number)[];

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const ARRAY_OPENER = 91;
const ARRAY_CLOSER = 93;
const OBJECT_OPENER = 123;
const OBJECT_CLOSER = 125;
const [ZERO_CODE, NINE] = [48, 57];
const [PLUS, MINUS_CODE, POINT] = [43, 45, 46];
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
function faultIn(
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
    if (code >= ZERO_CODE && code <= NINE) {
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
  code === POINT || code === LOWER_E || code === UPPER_E || code === MINUS_CODE || code === PLUS;

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

/** A fault because of which a valid JSON text is refused. */
export interface JsonFault {
  /** Path of the fault, such as `questions[0].text`; empty if the fault concerns the whole text. */
  readonly path: string;
  /** The fault as the rest of a sentence that begins with the path, such as `is named twice`. */
  readonly what: string;
  /** How to correct the fault, such as `name it once`. */
  readonly remedy: string;
}

type JsonReading =
  | { readonly value: unknown; readonly fault?: never; readonly malformed?: never }
  | { readonly fault: JsonFault; readonly value?: never; readonly malformed?: never }
  /** The text is not JSON. `malformed` is the rest of a sentence that begins with the text, and says where. */
  | { readonly malformed: string; readonly value?: never; readonly fault?: never };

/**
 * Parses a JSON text after one linear scan for faults that `JSON.parse` accepts: depth over 64, a member named twice,
 * `__proto__`, U+0000, lone surrogates and numbers that reading would change.
 *
 * @param isRefused whether a number is refused; by default if reading would change it
 * @param at the path of the text itself, for the path of a fault
 */
export function readJson(
  text: string,
  {
    isRefused = isChangedByReading,
    at = [],
  }: { readonly isRefused?: (literal: string) => boolean; readonly at?: Path } = {},
): JsonReading {
  const found = faultIn(text, isRefused);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const place = placeOfFault(text);
    const where = place ? `the character at ${place} is not expected` : 'it ends too early';
    return { malformed: `is not valid JSON: ${where}` };
  }
  if (!found) return { value };
  const [what, remedy] = FAULTS[found.kind];
  return { fault: { path: cutPath([...at, ...found.path]), what, remedy } };
}

/** Maximum length of a path in an error. Longer paths are cut, because a client chooses the names in them. */
const MAX_PATH_CHARS = 300;

function cutPath(path: Path): string {
  const whole = placeText(path);
  return whole.length > MAX_PATH_CHARS ? `${whole.slice(0, MAX_PATH_CHARS)}…` : whole;
}

/**
 * Parses a JSON text as {@link readJson} does, but throws for a fault.
 * @param onFault throws the error for a fault; by default INVALID_JSON
 * @throws ParleyError INVALID_JSON for a text that is not JSON or has a fault; the message names the place
 */
export const parseJson = (text: string, onFault = refuseFault): unknown => valueIn(readJson(text), onFault);

function valueIn(reading: JsonReading, onFault: (fault: JsonFault) => never): unknown {
  if (reading.malformed !== undefined) return refuse(reading.malformed);
  return reading.fault ? onFault(reading.fault) : reading.value;
}

/** Refuses a body. `fault` completes the sentence `The body …`. */
const refuse = (fault: string): never => fail('INVALID_JSON', `The body ${fault}.`);

function refuseFault({ path, what, remedy }: JsonFault): never {
  // A hint must not quote text of the client. A path with quotation marks contains a name that the client chose, so only the
  // message contains that path.
  const place = path.includes('"') ? 'the member that the message names' : path;
  return fail('INVALID_JSON', `The JSON is refused: ${path || 'the whole value'} ${what}.`, {
    hint: `Correct ${place || 'the JSON'}: ${remedy}. Then send the call again.`,
  });
}

/** Parses a JSON object as {@link parseJson} does. A text of white space alone counts as an empty object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = /^[ \t\r\n]*$/.test(text) ? {} : parseJson(text);
  return isRecord(value) ? value : refuse('is not a JSON object');
}

/**
 * Converts the input of an in-process caller to the value that a client would have sent as JSON. Leaves out members
 * that `JSON.stringify` leaves out, such as functions. Refuses an input that it cannot convert, such as a cyclic
 * object, and a number beyond 2^53 - 1, which the caller may have rounded.
 */
export const plainJson = (value: unknown): unknown =>
  valueIn(readJson(written(value), { isRefused: isBeyondSafeInteger }), refuseFault);

function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return refuse('cannot be written as JSON');
  }
}

/** The value of a JSON text or, if it is refused, the fault as the rest of a sentence that begins with its name. */
export type JsonFile =
  | { readonly value: unknown; readonly fault?: never }
  | { readonly fault: string; readonly value?: never };

/** Parses the text of a file or flag by the rules of the service. A byte order mark at its beginning is left out. */
export function readJsonFile(text: string): JsonFile {
  const { value, fault, malformed } = readJson(text.replace(/^\uFEFF/, ''));
  if (malformed !== undefined) return { fault: malformed };
  return fault ? { fault: `is refused: ${fault.path || 'the whole value'} ${fault.what}; ${fault.remedy}` } : { value };
}
