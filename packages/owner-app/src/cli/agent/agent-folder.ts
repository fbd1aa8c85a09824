import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { settingsFolder } from '../connect/token-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type Seat, seatFile } from './seat-file.ts';

/** The folder in which an agent works, and the folder with its data, which is outside of every repository. */
export interface AgentFolder {
  /** The path after all symbolic links are resolved. */
  readonly folder: string;
  readonly own: string;
}

/** @throws CliError if the folder does not exist */
export async function agentFolder(environment: Terminal['environment'], given: string): Promise<AgentFolder> {
  const folder = await realpath(given).catch(() => {
    throw new CliError(EXIT.USAGE, `The folder ${given} does not exist. Give the agent's repository with --folder.`);
  });
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return { folder, own: join(settingsFolder(environment), 'runs', name) };
}

/** The token that an agent in a folder has got by `parley run` or `parley mcp`. Undefined if there is none. */
export const seatIn = async (environment: Terminal['environment'], folder: string): Promise<Seat | undefined> =>
  seatFile((await agentFolder(environment, folder)).own).read();
