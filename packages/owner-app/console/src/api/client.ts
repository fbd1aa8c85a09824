import { signal } from '@preact/signals';

interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The next step for the user. */
  readonly hint: string;
  /** The whole body of the refusal. Some error codes have additional members in it. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The error of a call that the owner API refused. Status 0: the call did not reach the server. */
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

/** True once the server has accepted the sign-in, false after it has refused it, null while its answer is not known. */
export const isSignedIn = signal<boolean | null>(null);

const API = '/owner/api';

/**
 * Key of the local storage under which the page key is stored. The page key is one half of the sign-in. The other half is a
 * cookie, which the browser sends to every server on this host. Other origins cannot read the page key; tabs of this origin
 * share it.
 */
const PAGE_KEY = 'parley-page-key';

const pageKey = (): string => localStorage.getItem(PAGE_KEY) ?? '';

/** Whether somebody has signed in at this origin and has not signed out since. */
export const hasSignedIn = (): boolean => pageKey() !== '';

// Another tab has signed in or out, so this tab does the same.
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

/**
 * Signs out. Removing the page key is enough, because the cookie is useless without it. So signing out works even if the server
 * cannot be reached.
 */
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

/**
 * Reads a whole answer as a file.
 *
 * @throws ApiError if the answer breaks off
 */
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

/**
 * Sends a request and updates `isSignedIn` from the answer.
 *
 * @throws ApiError for a refusal
 */
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
  // Another tab may have signed in again meanwhile. Then the page key has changed, and this tab is not signed out.
  if (response.status === 401) isSignedIn.value = pageKey() === key ? false : null;
  return response;
}

const jsonOf = async <T>(response: Response): Promise<T> => (await (await accepted(response)).json()) as T;

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw errorFrom(response.status, await response.json().catch(() => ({})));
}

/**
 * The refusal of a wrong key. It has no hint, because the server's hint is for programs; the page shows the next step beside
 * the field.
 */
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
