import { readJson } from './json-reading.ts';

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
