import { signal } from '@preact/signals';

interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The user's next step. */
  readonly hint: string;
  /** The whole body, with members that only some codes have. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A call that the owner API refused, or that did not reach it (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly hint: string;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(
    readonly status: number,
    { code, message, hint, body }: Refusal,
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.body = body;
  }
}

/** False after the server refused the sign-in; null before the first answer. */
export const isSignedIn = signal<boolean | null>(null);

const API = '/owner/api';

/**
 * Key of the local storage for the page key, which is one half of the sign-in. The other half is a cookie, which every
 * server on this host receives. Other origins cannot read the page key; tabs share it.
 */
const PAGE_KEY = 'parley-page-key';

const pageKey = (): string => localStorage.getItem(PAGE_KEY) ?? '';

/** Whether this origin has signed in and not signed out. */
export const hasSignedIn = (): boolean => pageKey() !== '';

// Follows a sign-in or sign-out in another tab.
addEventListener('storage', ({ key }) => {
  if (key === PAGE_KEY || key === null) isSignedIn.value = hasSignedIn() ? null : false;
});

export async function signIn(ownerKey: string): Promise<void> {
  const body = JSON.stringify({ owner_key: ownerKey });
  const response = await request('/sign-in', { method: 'POST', body });
  if (response.status === 401) throw new ApiError(401, WRONG_KEY);
  const { page_key } = await jsonOf<{ page_key: string }>(response);
  localStorage.setItem(PAGE_KEY, page_key);
  isSignedIn.value = true;
}

/** Signs out. The cookie is useless without the page key, so this works even if the server cannot be reached. */
export async function signOut(): Promise<void> {
  const sent = request('/sign-out', { method: 'POST' });
  localStorage.removeItem(PAGE_KEY);
  isSignedIn.value = false;
  await sent.catch(() => undefined);
}

export const get = <T>(path: string, query: Query = {}): Promise<T> => call<T>(`${path}${search(query)}`);

export const post = <T>(path: string, input: unknown = {}): Promise<T> =>
  call<T>(path, { method: 'POST', body: JSON.stringify(input) });

export const remove = <T>(path: string): Promise<T> => call<T>(path, { method: 'DELETE' });

/** Reads an answer that is not JSON, such as a stream of events. */
export const load = (path: string, query: Query = {}, aborting?: AbortSignal): Promise<Response> =>
  send(`${path}${search(query)}`, aborting ? { signal: aborting } : {});

/** Reads a whole answer as a file. @throws ApiError if the answer breaks off */
export async function loadFile(path: string): Promise<Blob> {
  const response = await load(path);
  return response.blob().catch(() => {
    throw new ApiError(0, BROKEN_OFF);
  });
}

type Query = Readonly<Record<string, string>>;

function search(query: Query): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => jsonOf<T>(await send(path, init));

/** Sends a request and updates `isSignedIn` from the answer. @throws ApiError for a refusal */
async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await accepted(await request(path, init));
  if (hasSignedIn()) isSignedIn.value = true;
  return response;
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const key = pageKey();
  const headers = { ...(init.body ? { 'Content-Type': 'application/json' } : {}), 'Parley-Page-Key': key };
  const response = await fetch(`${API}${path}`, { ...init, headers }).catch(() => {
    throw new ApiError(0, UNREACHABLE);
  });
  // Keeps the sign-in if another tab has signed in again meanwhile.
  if (response.status === 401) isSignedIn.value = pageKey() === key ? false : null;
  return response;
}

const jsonOf = async <T>(response: Response): Promise<T> => (await (await accepted(response)).json()) as T;

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw errorFrom(response.status, await response.json().catch(() => ({})));
}

/** Replaces the server's hint, which is for programs. The page shows the next step beside the field. */
const WRONG_KEY: Refusal = { code: 'UNAUTHORIZED', message: 'The owner key is wrong.', hint: '', body: {} };

const UNREACHABLE: Refusal = {
  code: 'UNREACHABLE',
  message: 'The server does not answer.',
  hint: 'Check that the server runs. This page tries again by itself.',
  body: {},
};

const BROKEN_OFF: Refusal = {
  code: 'BROKEN_OFF',
  message: 'The answer broke off before its end.',
  hint: 'Nothing was saved; try again.',
  body: {},
};

function errorFrom(status: number, answer: unknown): ApiError {
  const body: Readonly<Record<string, unknown>> = Object(answer);
  const { error = 'INTERNAL', message = `The server answered ${status}.`, hint = '' } = body;
  return new ApiError(status, { code: String(error), message: String(message), hint: String(hint), body });
}
