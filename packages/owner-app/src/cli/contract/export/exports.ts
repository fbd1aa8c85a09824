import type { Json } from '../../../text/read-as.ts';
import type { ContractFile } from '../contract-file.ts';
import { asyncApi } from './asyncapi.ts';
import { openApi } from './openapi.ts';
import { schemaFiles, sourceOf } from './source.ts';

/** A contract in the formats that other tools read. */
export interface Exports {
  /** Names of files, of letters, digits, `_`, `.`, `-` and one `/`, with their values. */
  readonly files: ReadonlyMap<string, Json | boolean>;
  /** What could not be taken, a line each. */
  readonly left: readonly string[];
}

const EXPORTED = ['http', 'event'];

/** Exports a contract: its data models as JSON Schema, the interfaces of each side as OpenAPI 3.1 and AsyncAPI 3. */
export function exportsOf(file: ContractFile): Exports {
  const left: string[] = [];
  const source = sourceOf(file, (line) => left.push(line));
  const files = new Map<string, Json | boolean>(schemaFiles(source));
  for (const side of ['agent_a', 'agent_b']) {
    const documents = { openapi: openApi(source, side), asyncapi: asyncApi(source, side) };
    for (const [format, document] of Object.entries(documents))
      if (document) files.set(`${format}.${side}.json`, document);
  }
  for (const { id, kind } of source.interfaces)
    if (!EXPORTED.includes(kind))
      left.push(`${id}: left out: an interface of the kind ${kind} has no format to export to`);
  return { files, left: [...new Set(left)] };
}
