import { readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { AgentClient as AgentCalls, Answer, ToolInput } from '@parley/core/client';
import { isRecord } from '@parley/core/json';
import { type Json, readAs } from '../../text/read-as.ts';
import { visibleLine } from '../../text/visible.ts';
import { checkedAnswer } from '../client/faults.ts';
import { agentServer, requestJson, serverUrl, withoutEndpoint } from '../client/request.ts';
import { readTokenFile, settingsFolder } from '../connect/redeem.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type Seat, seatFile, seatIn } from './seat.ts';

/** A token and the address of the server that issued it. */
type Issued = Pick<Seat, 'token' | 'url'>;

/**
 * The address beside a token that `connect --write` or `run` has stored for this user. Undefined if neither has. Also looks into
 * the home folder of the user's account, because settings of a repository can change `HOME` and `XDG_CONFIG_HOME`.
 */
async function storedAddress(environment: Terminal['environment'], token: string): Promise<string | undefined> {
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

/** Time limit of a call, in milliseconds. The limit of a long-poll is longer by its `wait` seconds. */
const ANSWER_MS = 20_000;

/** A token of one line. Another text is no header, and the error of `fetch` would print it. */
const TOKEN = /^prt_[\x21-\x7e]+$/;

/** Calls tools over MCP with the token of one agent. A failed call rejects with CliError. */
export interface AgentClient extends AgentCalls {
  /** Address of the service, without `/api/public/…`. */
  readonly url: string;
  /** Makes a call that has a route and no tool. */
  post<N extends RestCall>(sessionId: string, name: N, input: ToolInput<N>): Promise<Answer<N>>;
}

const REST_ROUTES = { verify_attach: 'verify/attachments', verify_gate: 'verify/gates' } as const;
type RestCall = keyof typeof REST_ROUTES;

export interface AgentFlags {
  readonly url?: string;
  readonly tokenFile?: string;
}

/**
 * Creates a client with the token in `PARLEY_TOKEN`. If `tokenFile` is given, the token and `PARLEY_URL` come from that
 * file. Without either, uses the token that `parley mcp` or `parley run` has stored for this folder. A token that this user has
 * stored is sent to no other address than the stored one, unless `url` is given.
 */
export async function connectAgent(terminal: Terminal, { url, tokenFile }: AgentFlags): Promise<AgentClient> {
  const environment = tokenFile === undefined ? terminal.environment : await givenTokenFile(tokenFile);
  const token = environment.PARLEY_TOKEN;
  const seat = !token && tokenFile === undefined ? await seatIn(environment, '.') : undefined;
  if (seat) return createAgentClient(seat.url, seat.token);
  if (!token || !TOKEN.test(token)) {
    const place =
      tokenFile === undefined
        ? 'PARLEY_TOKEN is not set to a session token (prt_...)'
        : `${tokenFile} has no line "export PARLEY_TOKEN=prt_..."`;
    throw new CliError(
      EXIT.NO_KEY,
      `${place}. Give the token file with --token-file. \`${terminal.program} connect --for CLIENT --write\` writes a token file and prints its path.`,
    );
  }
  if (url !== undefined || tokenFile !== undefined)
    return createAgentClient(agentServer(url, { ...terminal, environment }), token);
  return createAgentClient(await addressOf(token, terminal), token);
}

/**
 * The address of the server that issued a token of the environment. Settings of a repository can change `PARLEY_URL`, but not
 * what is stored beside the token.
 */
async function addressOf(token: string, terminal: Terminal): Promise<string> {
  const stored = await storedAddress(terminal.environment, token);
  const named = terminal.environment.PARLEY_URL || stored;
  const url = agentServer(undefined, { ...terminal, environment: { PARLEY_URL: named } });
  if (stored === undefined || url === withoutEndpoint(serverUrl(stored))) return url;
  throw new CliError(
    EXIT.NO_KEY,
    `PARLEY_URL is ${url}, but this token is for ${stored}, so it is not sent. Settings in the repository, such as .claude/settings.json, can set PARLEY_URL. If the server has moved, give --url ${url}.`,
  );
}

/** The headers of a call over MCP. */
export const mcpHeaders = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

export function createAgentClient(url: string, token: string): AgentClient {
  const headers = mcpHeaders(token);
  return {
    url,
    async post(sessionId, name, input) {
      const answer = await requestJson(url, `/api/public/agent/sessions/${sessionId}/${REST_ROUTES[name]}`, {
        ...{ method: 'POST', headers, secret: token, body: JSON.stringify(input) },
        signal: AbortSignal.timeout(3 * ANSWER_MS),
      });
      return checkedAnswer(url, name, answer) as never;
    },
    async call(name, ...[given, { signal } = {}]) {
      const seconds = readAs(given, { wait: 'number' }).wait;
      const limit = AbortSignal.timeout(seconds * 1_000 + ANSWER_MS);
      const params = { name, arguments: given ?? {} };
      const answer = await requestJson(url, '/api/public/mcp', {
        method: 'POST',
        headers,
        secret: token,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return checkedAnswer(url, name, resultOf(name, answer)) as never;
    },
  };
}

function resultOf(tool: string, answer: Json): Json {
  const { structuredContent, isError } = readAs(answer.result, { structuredContent: 'any', isError: 'any' });
  const value = isRecord(structuredContent) ? structuredContent : {};
  if (isError === true) {
    const { error, message, hint } = readAs(value, { error: 'text', message: 'text', hint: 'text' });
    const text = `${tool} was refused: ${visibleLine(error)}: ${visibleLine(message)}\n${visibleLine(hint)}`;
    throw new CliError(EXIT.REFUSED, text, value);
  }
  if (structuredContent !== undefined) return value;
  throw new CliError(
    EXIT.UNREACHABLE,
    `The answer to ${tool} is incomplete or does not come from a Parley server. Check PARLEY_URL, then try again.`,
  );
}

async function givenTokenFile(path: string): Promise<Readonly<Record<string, string>>> {
  const refuse = (reason: string): never => {
    throw wrongUsage(`The token file ${path} cannot be read: ${reason}. Correct the path after --token-file.`);
  };
  return (await readTokenFile(path).catch((error: Error) => refuse(error.message))) ?? refuse('no such file');
}
