import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { shellWord } from '../../text/visible.ts';
import { reserveFile } from '../reserved-file.ts';

/**
 * An open, empty file for a token. It is created before the invitation code is redeemed: if no file can be created, the
 * code stays unused. A code can be redeemed only once, and its token must not be lost.
 */
export interface TokenFolder {
  /** Writes the token to a file with mode 0600. Returns the path. */
  keep(token: HeldToken): Promise<string>;
  giveUp(): Promise<void>;
}

export interface HeldToken {
  readonly token: string;
  readonly url: string;
  readonly sessionId: string;
  readonly role: string;
  readonly expiresAt: string;
}

/** The folder `parley` in the user's configuration folder. A relative `XDG_CONFIG_HOME` is ignored: it may lead into a repository. */
export const settingsFolder = (environment: Readonly<Record<string, string | undefined>>): string =>
  join(
    isAbsolute(environment.XDG_CONFIG_HOME ?? '')
      ? (environment.XDG_CONFIG_HOME ?? '')
      : join(environment.HOME || homedir(), '.config'),
    'parley',
  );

/**
 * Creates an empty file in the user's configuration folder, which is not part of a repository. `keep` renames the file,
 * so that each role of a session has its own token file.
 */
export async function openTokenFolder(environment: Readonly<Record<string, string | undefined>>): Promise<TokenFolder> {
  const folder = settingsFolder(environment);
  const place = await reserveFile(join(folder, 'draft'));
  return {
    giveUp: place.giveUp,
    async keep(held) {
      const path = join(folder, `${held.sessionId}.${held.role}.env`);
      await place.keep(textOf(held), path);
      return path;
    },
  };
}

/** The variables that a token file exports, without blanks around their values. Undefined if the file does not exist. */
export async function readTokenFile(path: string): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readRegularFile(path);
  if (text === undefined) return undefined;
  return Object.fromEntries(
    [...text.matchAll(/^export (\w+)=(['"]?)(.*)\2[ \t]*$/gm)].map(([, name, , value = '']) => [name, value.trim()]),
  );
}

/** The content of the token file, which bash, zsh and fish can read. */
const textOf = ({ token, url, sessionId, role, expiresAt }: HeldToken): string =>
  [
    `# Parley: ${role} of session ${sessionId}, until ${expiresAt}. This is a password.`,
    `export PARLEY_TOKEN=${token}`,
    `export PARLEY_SESSION=${sessionId}`,
    `export PARLEY_URL=${shellWord(url)}`,
    '',
  ].join('\n');
