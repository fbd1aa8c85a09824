import { fail } from './errors.ts';
import { isRecord } from './json-value.ts';
import { MAX_JSON_DEPTH } from './limits.ts';
import { placeText } from './safe-echo.ts';

/** Faults that `JSON.parse` accepts and this parser refuses. Each has a phrase for the message and a phrase for the hint. */
const FAULTS = {
  depth: [`is nested deeper than ${MAX_JSON_DEPTH} levels`, 'nest it less deeply'],
  name: ['is a name that is not taken', 'give the member another name'],
  nul: ['holds the character U+0000', 'leave that character out'],
  number: ['is a number that is too large', 'send a number that a double holds, or a text'],
  surrogate: ['holds a lone surrogate', 'write the whole character, or leave it out'],
  twice: ['is named twice', 'name it once'],
} as const;

type FaultKind = keyof typeof FAULTS;
type Path = readonly (string | number)[];

/** The reason why a text is refused although it is valid JSON. */
interface JsonFault {
  /** Path of the fault, such as `questions[0].text`; empty for the whole text. */
  readonly path: string;
  /** The fault, as the end of a sentence that begins with the path: `is named twice`. */
  readonly what: string;
  /** The correction, such as `name it once`. */
  readonly remedy: string;
}

type JsonReading =
  | { readonly value: unknown; readonly fault?: never }
  | { readonly value?: never; readonly fault: JsonFault };

/**
 * Parses a JSON text after one linear scan for faults that `JSON.parse` accepts: depth over 64, a member named twice,
 * `__proto__`, U+0000, lone surrogates and numbers that do not fit a double.
 * @returns the value, or the first such fault
 * @throws ParleyError INVALID_JSON for a text that is not JSON
 */
export function readJson(text: string): JsonReading {
  const { found, hasLargeNumber } = scanned(text);
  const value = parsed(text);
  if (found) return { fault: faultAt(found.kind, found.path) };
  const path = hasLargeNumber ? pathToLargeNumber(value) : undefined;
  return path ? { fault: faultAt('number', path) } : { value };
}

/**
 * Parses a JSON text as {@link readJson} does, but throws for a fault.
 * @throws ParleyError INVALID_JSON for a text that is not JSON or has such a fault; message and hint name the place
 */
export function parseJson(text: string): unknown {
  const reading = readJson(text);
  return reading.fault ? refuseFault(reading.fault) : reading.value;
}

function refuseFault({ path, what, remedy }: JsonFault): never {
  // The hint never quotes text of the client: a name in quotation marks appears in the message only.
  const place = path.includes('"') ? 'the member that the message names' : path;
  return fail('INVALID_JSON', `The JSON is refused: ${path || 'the whole value'} ${what}.`, {
    hint: `Correct ${place || 'the JSON'}: ${remedy}. Then send the call again.`,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('is not valid JSON');
  }
}

/** The path to a number too large for a double. `JSON.parse` reads such a number as Infinity, which JSON cannot express. */
function pathToLargeNumber(value: unknown): Path | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = pathToLargeNumber(member);
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/** Maximum length of a path in an error. Longer paths are cut, because the client chose the names in them. */
const MAX_PATH_CHARS = 300;

function faultAt(kind: FaultKind, path: Path): JsonFault {
  const [what, remedy] = FAULTS[kind];
  const whole = placeText(path);
  return { path: whole.length > MAX_PATH_CHARS ? `${whole.slice(0, MAX_PATH_CHARS)}…` : whole, what, remedy };
}

/** Parses a JSON object as {@link parseJson} does. A text of white space alone counts as an empty object. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = /^[ \t\r\n]*$/.test(text) ? {} : parseJson(text);
  return isRecord(value) ? value : refuse('is not a JSON object');
}

/** The input of an in-process caller as a client would have sent it. What JSON cannot express is dropped or refused. */
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
/** Numbers with at least this many digits are checked after parsing: a double has at most 309 digits before its point. */
const MANY_DIGITS = 300;

/** One open object or array, and the position of the scan in it. */
interface Frame {
  /** Names of the members so far; null in an array. */
  readonly names: Set<string> | null;
  name: string;
  index: number;
}

interface Scanned {
  readonly found?: FoundFault;
  /** Whether the text contains a number with many digits or an exponent: only such a number can exceed a double. */
  readonly hasLargeNumber: boolean;
}

/** Thrown inside the scan to stop it at the first fault. */
class FoundFault extends Error {
  constructor(
    readonly kind: FaultKind,
    readonly path: Path,
  ) {
    super();
  }
}

function scanned(text: string): Scanned {
  try {
    return { hasLargeNumber: scan(text) };
  } catch (error) {
    if (error instanceof FoundFault) return { found: error, hasLargeNumber: false };
    throw error;
  }
}

/**
 * Scans a JSON text for faults. Throws a FoundFault at the first one.
 *
 * @returns whether the text may contain a number too large for a double
 */
function scan(text: string): boolean {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  // Fast path: in a text without backslashes, NULs and lone surrogates only the names of members need a check.
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
  return hasLargeNumber;
}

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
  return refuse('is not valid JSON');
}

/** Whether the character at `at` is escaped: an odd number of backslashes stands before it in its string. */
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
  const value = raw.includes('\\') ? String(parsed(`"${raw}"`)) : raw;
  const frame = isName ? frames.at(-1) : undefined;
  if (frame) frame.name = value;
  if (value.includes('\u0000')) refuseAt('nul', frames);
  if (!value.isWellFormed()) refuseAt('surrogate', frames);
  if (!frame?.names) return;
  if (value === '__proto__') refuseAt('name', frames);
  if (frame.names.has(value)) refuseAt('twice', frames);
  frame.names.add(value);
}
