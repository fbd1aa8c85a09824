import { readKeyFile } from '../access/key-folder.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export const DEFAULT_URL = 'http://127.0.0.1:4100';
const API = '/owner/api';
const ANSWER_MS = 30_000;

/** A body of the API. */
export type Json = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

/** The owner HTTP API as commands use it. Paths are below `/owner/api`. Rejects with CliError. */
export interface OwnerClient {
  readonly url: string;
  get(path: string): Promise<Json>;
  post(path: string, body: Json): Promise<Json>;
  delete(path: string): Promise<Json>;
  /** The body as it arrives: JSON lines or server-sent events. */
  stream(path: string, headers?: Headers): Promise<ReadableStream<Uint8Array>>;
}

/** @param url address of the server, without a path; @param key the owner key */
export function createOwnerClient(url: string, key: string): OwnerClient {
  const send = (path: string, init: RequestInit, headers: Headers = {}): Promise<Response> =>
    request(url, `${API}${path}`, { ...init, headers: { ...headers, authorization: `Bearer ${key}` } });
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

function serverUrl(given: string | undefined): string {
  const url = given || DEFAULT_URL;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new CliError(EXIT.USAGE, `PARLEY_URL is ${JSON.stringify(url)}; expected an address such as ${DEFAULT_URL}.`);
}

async function request(url: string, path: string, init: RequestInit): Promise<Response> {
  const response = await reach(url, path, init);
  if (response.ok) return response;
  const body = parseBody(await response.text());
  const text = `${textOf(body.error) || `HTTP ${response.status}`}: ${textOf(body.message) || 'no reason given'}`;
  const hint = textOf(body.hint);
  throw new CliError(response.status === 401 ? EXIT.NO_KEY : EXIT.REFUSED, hint ? `${text}\n${hint}` : text, body);
}

async function reach(url: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${url}${path}`, init);
  } catch (error) {
    throw new CliError(EXIT.UNREACHABLE, `No server answers at ${url} (${reasonOf(error)}). Is it started?`);
  }
}

const readJson = async (response: Response): Promise<Json> => parseBody(await response.text());

function parseBody(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // What answers is no Parley server: an empty object says as much.
  }
  return {};
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : 'unknown reason';
}
