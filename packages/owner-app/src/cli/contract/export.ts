import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { jsonText, visibleJson, visibleLine } from '../../text/visible.ts';
import { writeSettingsFile } from '../connect/settings-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { connectService, type ServiceFlags } from './approved-contract.ts';
import { CONTRACT_FILE, type ContractFile, readPeerFile, revisionText } from './contract-file.ts';
import { exportsOf } from './export/exports.ts';
import { frozenContract } from './pull.ts';

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
  if (to === undefined) throw new CliError(EXIT.USAGE, 'Name the folder for the files with --to DIR.');
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
    throw new CliError(EXIT.USAGE, `${visibleLine(path)} does not exist. Run parley contract pull, or name a session.`);
  return (await frozenContract(await connectService(terminal, flags))).file;
}
