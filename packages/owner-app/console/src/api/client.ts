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

/** False once the server refused the sign-in; null until it was asked. */
export const isSignedIn = signal<boolean | null>(null);

const API = '/owner/api';

export const get = <T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> =>
  send<T>('GET', `${path}${search(query)}`);

export const post = <T>(path: string, input: unknown = {}): Promise<T> => send<T>('POST', path, input);

export const remove = <T>(path: string): Promise<T> => send<T>('DELETE', path);

/** The address of something that the browser loads by itself. */
export const addressOf = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `${API}${path}${search(query)}`;

function search(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

async function send<T>(method: string, path: string, input?: unknown): Promise<T> {
  const response = await request(method, path, input);
  const body: unknown = await response.json().catch(() => ({}));
  if (response.ok) {
    if (path !== '/sign-out') isSignedIn.value = true;
    return body as T;
  }
  if (response.status === 401) isSignedIn.value = false;
  throw errorFrom(response.status, body);
}

async function request(method: string, path: string, input: unknown): Promise<Response> {
  const sent =
    input === undefined ? {} : { body: JSON.stringify(input), headers: { 'Content-Type': 'application/json' } };
  try {
    return await fetch(`${API}${path}`, { method, ...sent });
  } catch {
    throw new ApiError(0, UNREACHABLE);
  }
}

const UNREACHABLE: Refusal = {
  code: 'UNREACHABLE',
  message: 'The server does not answer.',
  hint: 'Check that it runs; this page goes on trying.',
  body: {},
};

function errorFrom(status: number, answer: unknown): ApiError {
  const body: Readonly<Record<string, unknown>> = Object(answer);
  const { error = 'INTERNAL', message = `The server answered ${status}.`, hint = '' } = body;
  return new ApiError(status, { code: String(error), message: String(message), hint: String(hint), body });
}
