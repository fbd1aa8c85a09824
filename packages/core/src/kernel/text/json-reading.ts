import { placeOfFault } from './json-place.ts';
import { FAULTS, faultIn, type Path } from './json-scan.ts';
import { isChangedByReading } from './number-text.ts';
import { placeText } from './safe-echo.ts';

/** A fault because of which a valid JSON text is refused. */
export interface JsonFault {
  /** Path of the fault, such as `questions[0].text`; empty if the fault concerns the whole text. */
  readonly path: string;
  /** The fault as the rest of a sentence that begins with the path, such as `is named twice`. */
  readonly what: string;
  /** How to correct the fault, such as `name it once`. */
  readonly remedy: string;
}

export type JsonReading =
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
