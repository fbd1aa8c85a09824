import { fail } from '../errors.ts';
import { type JsonFault, type JsonReading, readJson } from './json-reading.ts';
import { isRecord } from './json-value.ts';
import { isBeyondSafeInteger } from './number-text.ts';

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
