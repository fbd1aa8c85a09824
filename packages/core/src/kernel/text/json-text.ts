import { fail } from '../errors.ts';
import { FAULTS, type FaultKind, type Path, parsed, refuse, scanned } from './json-scan.ts';
import { isRecord } from './json-value.ts';
import { placeText } from './safe-echo.ts';

/** A fault because of which a valid JSON text is refused. */
interface JsonFault {
  /** Path of the fault, such as `questions[0].text`; empty if the fault concerns the whole text. */
  readonly path: string;
  /** The fault as the rest of a sentence that begins with the path, such as `is named twice`. */
  readonly what: string;
  /** How to correct the fault, such as `name it once`. */
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
 * @throws ParleyError INVALID_JSON for a text that is not JSON or has a fault; the message names the path of the fault
 */
export function parseJson(text: string): unknown {
  const reading = readJson(text);
  return reading.fault ? refuseFault(reading.fault) : reading.value;
}

function refuseFault({ path, what, remedy }: JsonFault): never {
  // A hint must not quote text of the client. A path with quotation marks contains a name that the client chose, so only the
  // message contains that path.
  const place = path.includes('"') ? 'the member that the message names' : path;
  return fail('INVALID_JSON', `The JSON is refused: ${path || 'the whole value'} ${what}.`, {
    hint: `Correct ${place || 'the JSON'}: ${remedy}. Then send the call again.`,
  });
}

/**
 * The path to the first number that is too large for a double; undefined if there is none. `JSON.parse` reads such a number as
 * Infinity.
 */
function pathToLargeNumber(value: unknown): Path | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const path = pathToLargeNumber(member);
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/** Maximum length of a path in an error. Longer paths are cut, because a client chooses the names in them. */
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

/**
 * Converts the input of an in-process caller to the value that a client would have sent as JSON. Leaves out members
 * that `JSON.stringify` leaves out, such as functions. Refuses an input that it cannot convert, such as a cyclic
 * object.
 */
export const plainJson = (value: unknown): unknown => parseJson(written(value));

function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return refuse('cannot be written as JSON');
  }
}
