import { readKeyFile } from '../../server/access/key-folder.ts';
import type { JsonRoute, StreamRoute } from '../../server/api/owner-routes.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type Json, readJson, sendRequest, serverUrl } from './request.ts';

const API = '/owner/api';
const ANSWER_MS = 30_000;

type Headers = Readonly<Record<string, string>>;

interface RouteRequest {
  /** The session, for a route below a session. */
  readonly sessionId?: string;
  readonly input?: Json;
}

/** Calls the owner HTTP API for commands. Rejects with CliError. */
export interface OwnerClient {
  readonly url: string;
  /** Sends the input as the body of a POST or as the query of a GET. Leaves out members that are undefined. */
  call(route: JsonRoute, request?: RouteRequest): Promise<Json>;
  /** Reads the body of an answer as a stream, of JSON lines or of server-sent events. */
  stream(route: StreamRoute, sessionId: string, headers?: Headers): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Makes a client for the owner API.
 *
 * @param url address of the server, without a path
 * @param key the owner key
 */
export function createOwnerClient(url: string, key: string): OwnerClient {
  const send = (path: string, init: RequestInit, headers: Headers = {}): Promise<Response> =>
    sendRequest(url, `${API}${path}`, { ...init, headers: { ...headers, authorization: `Bearer ${key}` } });
  return {
    url,
    async call({ method, path }, { sessionId = '', input = {} } = {}) {
      const target = pathFor(path, sessionId);
      const [address, body] =
        method === 'POST' ? [target, { body: JSON.stringify(input) }] : [withQuery(target, input), {}];
      return readJson(await send(address, { method, ...body, signal: AbortSignal.timeout(ANSWER_MS) }));
    },
    async stream({ path }, sessionId, headers) {
      const { body } = await send(pathFor(path, sessionId), {}, headers);
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
  };
}

const pathFor = (path: string, sessionId: string): string =>
  path.replace('{session_id}', () => encodeURIComponent(sessionId));

function withQuery(path: string, input: Json): string {
  const query = new URLSearchParams();
  for (const [member, value] of Object.entries(input)) if (value !== undefined) query.set(member, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Makes a client from PARLEY_URL, PARLEY_OWNER_KEY and PARLEY_DATA. */
export async function connectOwner({ environment }: Terminal): Promise<OwnerClient> {
  const url = serverUrl(environment.PARLEY_URL);
  const key = environment.PARLEY_OWNER_KEY || (await readKeyFile(environment.PARLEY_DATA || '.parley'));
  if (!key) {
    throw new CliError(
      EXIT.NO_KEY,
      'No owner key found: set PARLEY_OWNER_KEY, or set PARLEY_DATA to the data folder of the server (default .parley).',
    );
  }
  return createOwnerClient(url, key);
}
