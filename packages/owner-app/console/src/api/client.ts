import { signal } from '@preact/signals';

interface Refusal {
  readonly code: string;
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** The whole body, with the fields that some codes add. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the owner's API refused, or that it cannot be reached (status 0). */
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

/** False once the server refused the sign-in; null while it has not been asked. */
export const isSignedIn = signal<boolean | null>(null);

const API = '/owner/api';

/**
 * Where this origin keeps its half of the sign-in. The cookie, which is the other half, reaches every server on this
 * host; other origins cannot read this one, and tabs share it.
 */
const PAGE_KEY = 'parley-page-key';

const pageKey = (): string => localStorage.getItem(PAGE_KEY) ?? '';

/** Whether there was a sign-in that nobody signed out of. */
export const hasSignedIn = (): boolean => pageKey() !== '';

/** Another tab signed in or out. */
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

/** Without the page key the cookie opens nothing, so this page is signed out even if no server hears of it. */
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

/** An answer that is not JSON, such as a stream of events. */
export const load = (path: string, query: Query = {}, aborting?: AbortSignal): Promise<Response> =>
  send(`${path}${search(query)}`, aborting ? { signal: aborting } : {});

/** A whole answer as a file. One that breaks off is refused. */
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

/** Rejects with ApiError for a refusal, and says of the sign-in what the answer tells. */
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
  // Another tab may have signed in anew meanwhile.
  if (response.status === 401) isSignedIn.value = pageKey() === key ? false : null;
  return response;
}

const jsonOf = async <T>(response: Response): Promise<T> => (await (await accepted(response)).json()) as T;

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw errorFrom(response.status, await response.json().catch(() => ({})));
}

/** The server's hint is for programs; what a person does next stands beside the field. */
const WRONG_KEY: Refusal = { code: 'UNAUTHORIZED', message: 'This is not the owner key.', hint: '', body: {} };

const UNREACHABLE: Refusal = {
  code: 'UNREACHABLE',
  message: 'The server does not answer.',
  hint: 'Check that it runs; this page goes on trying.',
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
