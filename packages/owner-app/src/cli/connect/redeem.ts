import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { readRegularFile } from '../../server/access/owner-key.ts';
import { AGENT_ROLES, SESSION_ID } from '../../text/joining.ts';
import { shellWord } from '../../text/visible.ts';
import { addressByServer, isAddress, requestJson } from '../client/request.ts';
import { commandFailed } from '../exit-codes.ts';
import { reserveFile } from '../files.ts';

/**
 * An open, empty file for a token. It is created before the invitation code is redeemed: if no file can be created, the
 * code stays unused. A code can be redeemed only once, and its token must not be lost.
 */
export interface TokenFolder {
  /** Writes the token to a file with mode 0600. Returns the path. */
  keep(token: HeldToken): Promise<string>;
  giveUp(): Promise<void>;
}

interface HeldToken {
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

const ANSWER_MS = 30_000;

const Address = z.string().max(2_000).refine(isAddress);

/**
 * The answer to a redeemed code. Every member is validated, because these values are written to files and shell
 * commands.
 */
const Redeemed = z.object({
  token: z.string().regex(/^prt_[\w-]{16,196}$/),
  session_id: z.string().regex(SESSION_ID),
  role: z.enum(AGENT_ROLES),
  expires_at: z.iso.datetime(),
  base_url: Address.optional(),
  mcp_url: Address.optional(),
});

export interface Redemption extends HeldToken {
  readonly mcpUrl: string;
  /** Address of the session's REST routes. */
  readonly sessionUrl: string;
  /** The address at which the server says that agents reach it, if it is another one than that of the request. */
  readonly byServer: string | undefined;
}

export interface RedeemRequest {
  readonly code: string;
  readonly clientType: string;
  /** The address of the server. The agent connects to it, whatever the answer says. */
  readonly url: string;
}

export async function redeemCode({ code, clientType, url }: RedeemRequest): Promise<Redemption> {
  const body = await requestJson(url, '/api/public/agent/invitations/redeem', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, client_type: clientType }),
    secret: code,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const answer = Redeemed.safeParse(body);
  if (!answer.success)
    throw commandFailed(
      `The server at ${url} is not a Parley server. Give the address of the Parley server with --url.`,
    );
  const { token, session_id: sessionId, role, expires_at: expiresAt, mcp_url: mcpUrl } = answer.data;
  return {
    ...{ token, sessionId, role, expiresAt, url },
    mcpUrl: `${url}/api/public/mcp`,
    sessionUrl: `${url}/api/public/agent/sessions/${sessionId}`,
    byServer: addressByServer(mcpUrl, url),
  };
}
