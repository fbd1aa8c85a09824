import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type After,
  type OwnerCallName,
  type OwnerClient as OwnerCalls,
  type OwnerStreamName,
  createOwnerClient as ownerOver,
  type SessionCallName,
} from '@parley/core/client';
import { ownerRoute } from '@parley/core/routes';
import { HASH_FILE, KEY_FILE, readKeyFile } from '../../server/access/owner-key.ts';
import { type Json, readAs } from '../../text/read-as.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { parseAnswer } from './answer.ts';
import { checkedAfter, checkedAnswer } from './faults.ts';
import { wholeSessionId } from './lists.ts';
import { requestJson, requestStream, serverUrl } from './request.ts';

const API = '/owner/api';
export const ANSWER_MS = 30_000;

type Headers = Readonly<Record<string, string>>;

interface Streaming {
  readonly sessionId?: string;
  /** The query parameters. */
  readonly input?: Json;
  readonly headers?: Headers;
}

/** Makes the calls of the owner for commands. Rejects with CliError. */
export interface OwnerClient extends OwnerCalls {
  readonly url: string;
  /** Completes a session id from its first characters, at least four. Makes no call if the id is already complete. */
  wholeId(given: string): Promise<string>;
  /** Returns the body of an answer that consists of JSON lines or server-sent events. */
  stream(name: OwnerStreamName, sent?: Streaming): Promise<AsyncGenerator<Uint8Array>>;
  /** Parses the JSON object of an event in a stream, like an answer to `call`. Undefined if there is none. */
  parse(text: string): Json | undefined;
}

/** Number of times that a read which the server refuses with 429 is sent again. */
const MOST_AGAIN = 3;
/** Seconds of a pause, if a refusal with 429, such as that of a proxy, does not say them. */
const UNSAID_SECONDS = 5;
/** A longer pause is left to the person: the command then ends with the refusal. So are longer pauses of all reads together. */
const LONGEST_SECONDS = { one: 120, all: 600 };

interface Limited {
  /** Called before a pause, with a line that says for how long the server refuses reads. */
  readonly onLimit?: (line: string) => void;
  /** Resolves after some milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** @param url address of the server, without a path */
export function createOwnerClient(url: string, key: string, { onLimit, pause = sleep }: Limited = {}): OwnerClient {
  const authorization = `Bearer ${key}`;
  let paused = 0;
  /** Sends a read. After a refusal with 429, pauses for as long as the server says, and sends it again. */
  const read = async <T>(send: () => Promise<T>): Promise<T> => {
    for (let again = 0; ; again += 1) {
      try {
        return await send();
      } catch (error) {
        if (again === MOST_AGAIN || !(error instanceof CliError) || error.status !== 429) throw error;
        const seconds = readAs(error.body, { retry_after_seconds: 'number' }).retry_after_seconds || UNSAID_SECONDS;
        paused += seconds;
        if (seconds > LONGEST_SECONDS.one || paused > LONGEST_SECONDS.all) throw error;
        onLimit?.(`Too many requests in this minute. Reading again in ${seconds} s.`);
        await pause(seconds * 1_000);
      }
    }
  };
  const owner = ownerOver(async ({ method, path, body, headers }) => {
    const send = () =>
      requestJson(url, API + path, {
        ...{ method, headers: { ...headers, authorization }, secret: key, signal: AbortSignal.timeout(ANSWER_MS) },
        ...(body !== undefined && { body }),
      });
    return (method === 'GET' ? read(send) : send()).catch(rethrowWithKeyHint);
  });
  const client: OwnerClient = {
    url,
    call: async (name, ...rest) => checkedAnswer(url, name, await owner.call(name, ...rest)),
    act: async (name, ...rest) => checkedAfter(url, checkedAnswer(url, name, await owner.act(name, ...rest))),
    wholeId: (given) => wholeSessionId(client, given),
    parse: (text) => parseAnswer(text, key),
    async stream(name, { sessionId = '', input = {}, headers } = {}) {
      const address = withQuery(
        ownerRoute(name)
          .replace('GET ', '')
          .replace('{session_id}', () => encodeURIComponent(sessionId)),
        input,
      );
      const kind = name === 'watch' ? 'events' : 'file';
      const init = { kind, headers: { ...headers, authorization }, secret: key } as const;
      return read(() => requestStream(url, API + address, init)).catch(rethrowWithKeyHint);
    },
  };
  return client;
}

interface ListedCall {
  /** The name of an operation on one session, as the registry lists it. */
  readonly name: string;
  readonly sessionId: string;
  readonly input: Json;
}

/** Makes a call whose name and input are known only when the program runs. The service checks them. */
export const callListed = (client: OwnerCalls, { name, sessionId, input }: ListedCall): Promise<Json> =>
  client.call(name as OwnerCallName, { session_id: sessionId, ...input } as never);

/** Makes a write like `callListed`. The answer has `after` too, if the service sends it. */
export const actListed = (
  client: OwnerCalls,
  { name, sessionId, input }: ListedCall,
): Promise<Json & { readonly after?: After }> =>
  client.act(name as SessionCallName, { session_id: sessionId, ...input } as never);

/** A key of one line. Another text is no header, and the error of `fetch` would print it. */
const KEY = /^[\x20-\x7e\x80-\xff]+$/;

/** Where this program reads the owner key. */
const KEY_HINT = 'Set PARLEY_OWNER_KEY, or set PARLEY_DATA to the data folder of the server (default .parley).';

/** Replaces the hint of the service, which is about requests and the console, by the place of the key for this program. */
function rethrowWithKeyHint(error: unknown): never {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.NO_KEY) throw error;
  const [reason] = error.message.split('\n');
  throw new CliError(EXIT.NO_KEY, `${reason}\n${KEY_HINT}`, error.body, error.status);
}

function withQuery(path: string, input: Json): string {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(input)) if (value !== undefined) query.set(member, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

const rethrowAsNoKey = (error: Error): never => {
  throw new CliError(EXIT.NO_KEY, `${error.message} ${KEY_HINT}`);
};

/** What a server leaves in its data folder. `parley contract pull` writes into a folder of the same name. */
const OF_A_SERVER = [KEY_FILE, HASH_FILE, 'pg'];

/** Whether a setting or the data folder of this folder says which server this program is to use. */
export const knowsServer = ({ environment }: Pick<Terminal, 'environment'>): boolean =>
  Boolean(environment.PARLEY_URL || environment.PARLEY_OWNER_KEY || environment.PARLEY_DATA) ||
  OF_A_SERVER.some((name) => existsSync(join('.parley', name)));

/**
 * Creates a client with the address in `PARLEY_URL` and the owner key in `PARLEY_OWNER_KEY` or in the data folder
 * `PARLEY_DATA`.
 */
export async function connectOwner({ environment, err }: Terminal): Promise<OwnerClient> {
  const url = serverUrl(environment.PARLEY_URL);
  const key =
    environment.PARLEY_OWNER_KEY || (await readKeyFile(environment.PARLEY_DATA || '.parley').catch(rethrowAsNoKey));
  if (!key) {
    throw new CliError(EXIT.NO_KEY, `No owner key was found. ${KEY_HINT}`);
  }
  if (!KEY.test(key))
    throw new CliError(EXIT.NO_KEY, `The owner key contains characters that a key never has. ${KEY_HINT}`);
  return createOwnerClient(url, key, { onLimit: err });
}
