import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../../server/access/owner-key.ts';
import type { Json } from '../../text/read-as.ts';
import { jsonText, visibleJson, visibleLine } from '../../text/visible.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import { writeSettingsFile } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import {
  CONTRACT_FILE,
  type ContractFile,
  connectService,
  readPeerFile,
  revisionText,
  type ServiceFlags,
} from './contract-file.ts';
import { asyncApi } from './export/asyncapi.ts';
import { openApi } from './export/openapi.ts';
import { schemaFiles, sourceOf } from './export/source.ts';
import { frozenContract } from './pull.ts';

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

export interface SourceFlags extends ServiceFlags {
  readonly folder: string;
}

export interface ExportFlags extends SourceFlags {
  readonly to?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Writes the approved contract in the formats of other tools, and names what it could not take. */
export async function exportContract(terminal: Terminal, flags: ExportFlags): Promise<void> {
  const { to } = flags;
  if (to === undefined) throw wrongUsage('Name the folder for the files with --to DIR.');
  const file = await contractFrom(terminal, flags);
  const { files, left } = exportsOf(file);
  await mkdir(to, { recursive: true });
  for (const [name, value] of files)
    await writeSettingsFile(to, name, `${visibleJson(JSON.stringify(value, null, 2))}\n`, 'export into another folder');
  if (flags.json) return terminal.out(jsonText({ revision_id: file.revision_id, files: [...files.keys()], left }));
  terminal.out(`The contract is ${revisionText(file)}.`);
  for (const name of files.keys()) terminal.out(`Wrote     ${visibleLine(join(to, name))}`);
  for (const line of left) terminal.out(`Left out  ${visibleLine(line)}`);
}

/** The contract that is named: a file that `pull` wrote, a session with the owner key, or the file of this repository. */
export async function contractFrom(terminal: Terminal, flags: SourceFlags): Promise<ContractFile> {
  const { session, folder } = flags;
  const path = session ?? join(folder, CONTRACT_FILE);
  const text = session === undefined || /[/.\\]/.test(session) ? await readRegularFile(path) : undefined;
  if (text !== undefined) {
    const { file, fault } = readPeerFile(text);
    if (file) return file;
    throw new CliError(EXIT.MISMATCH, `${visibleLine(path)} ${fault}`);
  }
  if (session === undefined || /[/.\\]/.test(session))
    throw wrongUsage(`${visibleLine(path)} does not exist. Run parley contract pull, or name a session.`);
  return (await frozenContract(await connectService(terminal, flags))).file;
}
