import { readKeyFile } from '../../server/access/key-folder.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type Json, readJson, sendRequest, serverUrl } from './request.ts';

const API = '/owner/api';
const ANSWER_MS = 30_000;

type Headers = Readonly<Record<string, string>>;

/** The owner HTTP API as commands use it. Paths are below `/owner/api`. Rejects with CliError. */
export interface OwnerClient {
  readonly url: string;
  get(path: string): Promise<Json>;
  post(path: string, body: Json): Promise<Json>;
  delete(path: string): Promise<Json>;
  /** The body as a stream: JSON lines or server-sent events. */
  stream(path: string, headers?: Headers): Promise<ReadableStream<Uint8Array>>;
}

/** @param url address of the server, without a path; @param key the owner key */
export function createOwnerClient(url: string, key: string): OwnerClient {
  const send = (path: string, init: RequestInit, headers: Headers = {}): Promise<Response> =>
    sendRequest(url, `${API}${path}`, { ...init, headers: { ...headers, authorization: `Bearer ${key}` } });
  const call = async (path: string, init: RequestInit): Promise<Json> =>
    readJson(await send(path, { ...init, signal: AbortSignal.timeout(ANSWER_MS) }));
  return {
    url,
    get: (path) => call(path, {}),
    post: (path, body) => call(path, { method: 'POST', body: JSON.stringify(body) }),
    delete: (path) => call(path, { method: 'DELETE' }),
    async stream(path, headers) {
      const { body } = await send(path, {}, headers);
      return body ?? new ReadableStream({ start: (controller) => controller.close() });
    },
  };
}

/** The client that PARLEY_URL, PARLEY_OWNER_KEY and PARLEY_DATA describe. */
export async function connectOwner({ environment }: Terminal): Promise<OwnerClient> {
  const url = serverUrl(environment.PARLEY_URL);
  const key = environment.PARLEY_OWNER_KEY || (await readKeyFile(environment.PARLEY_DATA || '.parley'));
  if (!key) {
    throw new CliError(
      EXIT.NO_KEY,
      'No owner key: set PARLEY_OWNER_KEY, or run this where the server keeps its data (PARLEY_DATA, default .parley).',
    );
  }
  return createOwnerClient(url, key);
}
