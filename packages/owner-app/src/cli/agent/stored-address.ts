import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { readTokenFile, settingsFolder } from '../connect/token-file.ts';
import type { Terminal } from '../terminal.ts';
import { seatFile } from './seat-file.ts';

/** A token and the address of the server that issued it. */
interface Issued {
  readonly token: string;
  readonly url: string;
}

/**
 * The address beside a token that `connect --write` or `run` has stored for this user. Undefined if neither has. Also looks into
 * the home folder of the user's account, because settings of a repository can change `HOME` and `XDG_CONFIG_HOME`.
 */
export async function storedAddress(environment: Terminal['environment'], token: string): Promise<string | undefined> {
  for (const folder of new Set([...accountFolder(), settingsFolder(environment)]))
    for await (const issued of issuedIn(folder)) if (issued.token === token) return issued.url;
  return undefined;
}

async function* issuedIn(folder: string): AsyncGenerator<Issued> {
  for (const name of await namesIn(folder)) {
    if (!name.endsWith('.env')) continue;
    const { PARLEY_TOKEN: token, PARLEY_URL: url } = (await readTokenFile(join(folder, name)).catch(none)) ?? {};
    if (token && url) yield { token, url };
  }
  for (const name of await namesIn(join(folder, 'runs'))) {
    const seat = await seatFile(join(folder, 'runs', name)).read();
    if (seat) yield seat;
  }
}

const none = (): undefined => undefined;

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** No folder if the account of this process has no entry in the list of users. */
function accountFolder(): string[] {
  try {
    return [settingsFolder({ HOME: userInfo().homedir })];
  } catch {
    return [];
  }
}
