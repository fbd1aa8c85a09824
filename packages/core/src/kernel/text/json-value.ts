import { readJson } from './json-reading.ts';

/** Whether a value is an object, but neither an array nor null. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; null for a text that is not JSON. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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
