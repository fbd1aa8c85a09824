import {
  type After,
  createOwnerClient,
  type OwnerCallName,
  type OwnerClient,
  type OwnerInput,
  type OwnerOutput,
  type SessionCallName,
  type SessionInput,
} from '@parley/core/client';
import { effect, signal } from '@preact/signals';
import { watchSilence } from '../../../src/text/event-stream.ts';
import { noteServerTime } from '../../../src/text/time.ts';
import { FIRST_PERSON_ID } from '../../../src/transcript/message.ts';
import { ApiError, BROKEN_OFF, errorFrom, type Me, SIGN_IN_ENDED, UNREACHABLE, WRONG_KEY } from './answers.ts';
import { dropDrafts } from './drafts.ts';
import { API, PAGE_KEY, PENDING, pageKey, takeFirstRead } from './first-reads.ts';

/** Whether the server accepts the sign-in of this browser. Null before the first answer of the server. */
export const isSignedIn = signal<boolean | null>(null);

/** Number of sign-ins so far. When it changes, reads that were refused because the sign-in had ended are repeated. */
export const signIns = signal(0);

/**
 * Time at which reads are sent again, in milliseconds since 1970, while the server refuses requests with 429. 0 while it
 * refuses none. All reads of the page wait until then, so that they do not use up the next minute too.
 */
export const limitedUntil = signal(0);

/** Seconds until reads are sent again, if a refusal with 429, such as that of a proxy, does not say it. */
const UNSAID_SECONDS = 5;
/** Milliseconds between two looks at `limitedUntil`, which a sign-in of another person sets to 0. */
const LOOK_MS = 1_000;

async function whenAllowed(): Promise<void> {
  for (let left = 1; left > 0; ) {
    left = limitedUntil.peek() - Date.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, LOOK_MS)));
  }
}

/** Resolves when `isSignedIn` is not false. Before the first answer of the server, it resolves immediately. */
export function whenSignedIn(): Promise<void> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (isSignedIn.value === false) return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}

/** Whether this browser has stored a page key: a user has signed in at this origin and has not signed out since. */
export const hasSignedIn = (): boolean => pageKey() !== '';

// If another tab signs in or out, this tab is signed in or out too.
addEventListener('storage', ({ key }) => {
  if (key !== PAGE_KEY && key !== null) return;
  answers.clear();
  if (!hasSignedIn()) dropDrafts();
  else signIns.value += 1;
  isSignedIn.value = hasSignedIn() ? null : false;
});

/** Whether the server offers a sign-in with company accounts. */
export const signsCompanyIn = async (): Promise<boolean> =>
  (await jsonOf<{ company: boolean }>(await request('/sign-in', {}))).company;

/**
 * Signs in with a company account. If a proxy before the server names the person, the sign-in is complete when this
 * function resolves. Otherwise the browser leaves this page and opens a page of the identity provider.
 *
 * @returns whether the user is signed in
 */
export async function signInWithCompany(): Promise<boolean> {
  const response = await request('/sign-in/company', { method: 'POST' });
  const body = await jsonOf<{ page_key?: string; authorization_url?: string; page_secret?: string }>(response);
  if (body.page_key !== undefined) {
    keepSignIn(body.page_key);
    return true;
  }
  localStorage.setItem(PENDING, JSON.stringify({ secret: body.page_secret, path: location.pathname }));
  location.assign(body.authorization_url ?? '');
  return false;
}

/**
 * Finishes a sign-in after the browser has come back from the identity provider, and shows the page on which the
 * sign-in began.
 */
export async function finishSignIn(): Promise<void> {
  const pending = localStorage.getItem(PENDING);
  if (pending === null) return;
  localStorage.removeItem(PENDING);
  const { secret, path }: { secret?: string; path?: string } = Object(JSON.parse(pending));
  const init = { method: 'POST', body: JSON.stringify({ page_secret: secret }) };
  const response = await fetch(`${API}/sign-in/finish`, { ...init, signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    () => undefined,
  );
  // The server refuses a sign-in that the user cancelled. `isSignedIn` then stays unchanged.
  if (!response?.ok) return;
  if (path?.startsWith('/owner/')) history.replaceState(null, '', path);
  keepSignIn(((await response.json()) as { page_key: string }).page_key);
}

function keepSignIn(key: string): void {
  localStorage.setItem(PAGE_KEY, key);
  limitedUntil.value = 0;
  isSignedIn.value = true;
  signIns.value += 1;
}

export async function signIn(ownerKey: string): Promise<void> {
  const body = JSON.stringify({ owner_key: ownerKey });
  const response = await request('/sign-in', { method: 'POST', body });
  if (response.status === 401) throw new ApiError(401, WRONG_KEY);
  keepSignIn((await jsonOf<{ page_key: string }>(response)).page_key);
}

/**
 * Signs out by removing the page key. Without the page key, the cookie is useless, so signing out works even if the
 * server cannot be reached.
 */
export async function signOut(): Promise<void> {
  const sent = request('/sign-out', { method: 'POST' });
  localStorage.removeItem(PAGE_KEY);
  dropDrafts();
  answers.clear();
  isSignedIn.value = false;
  const answer: { end_session_url?: string } = await sent.then((response) => response.json()).catch(() => ({}));
  if (answer.end_session_url !== undefined) location.assign(answer.end_session_url);
}

/** The most recent answers to reads, by address, oldest first. */
const answers = new Map<string, { readonly etag: string; readonly value: unknown }>();
/** Maximum number of stored answers. No page repeatedly reads more addresses than this. */
const MAX_ANSWERS = 12;

/** Milliseconds after which a request without an answer is given up: the connection may be dead. */
const ANSWER_MS = 30_000;

/**
 * Makes a call. Its name determines the types of its input and its answer. A read that the service refuses with 429 is sent
 * again.
 *
 * @throws ApiError if the service refuses the call, or does not answer
 */
export const call = <N extends OwnerCallName>(name: N, input?: OwnerInput<N>): Promise<OwnerOutput<N>> =>
  owner.call(name, ...([input] as never));

/** Makes a call on one session, like `call`. */
export const callOn = <N extends SessionCallName>(
  sessionId: string,
  name: N,
  input?: SessionInput<N>,
): Promise<OwnerOutput<N>> => call(name, { session_id: sessionId, ...Object(input) } as never);

/** Makes a write on one session, like `callOn`. The answer also has what the write has done, and the session after it. */
export const actOnSession = <N extends SessionCallName>(
  sessionId: string,
  name: N,
  input?: SessionInput<N>,
): Promise<OwnerOutput<N> & { readonly after?: After }> =>
  owner.act(name, ...([{ session_id: sessionId, ...Object(input) }] as never));

/** Makes a call like `callOn`. The browser finishes the call even if the user leaves the page meanwhile. */
export const callKept = <N extends SessionCallName>(
  sessionId: string,
  name: N,
  input: SessionInput<N>,
): Promise<OwnerOutput<N>> => keptOwner.call(name, ...([{ session_id: sessionId, ...Object(input) }] as never));

const ownerWith = (init: RequestInit): OwnerClient =>
  createOwnerClient(async ({ method, path, body, headers = {} }) =>
    method === 'GET'
      ? get(path)
      : jsonOf(await send(path, { method, headers, ...(body === undefined ? {} : { body }), ...init })),
  );
const owner = ownerWith({});
const keptOwner = ownerWith({ keepalive: true });

/** Reads an answer. The service sends no body if the answer of the same address that is stored here is still true. */
async function get<T>(address: string): Promise<T> {
  const known = answers.get(address);
  const headers = known ? { 'If-None-Match': known.etag } : {};
  const response = await sendRead(address, () => ({ headers, signal: AbortSignal.timeout(ANSWER_MS) }));
  if (known && response.status === 304) return known.value as T;
  const value: T = await response.json().catch(() => {
    throw new ApiError(0, BROKEN_OFF);
  });
  answers.delete(address);
  answers.set(address, { etag: response.headers.get('etag') ?? '', value });
  for (const [oldest] of answers) if (answers.size > MAX_ANSWERS) answers.delete(oldest);
  return value;
}

/** Reads the words of the command line that runs the command `parley` of this server. */
export const readProgram = (): Promise<{ readonly words: readonly string[] }> => get('/program');

/** Sends a request whose answer may take long, such as a stream of events. It ends when `aborting` aborts. */
export const load = (path: string, query: Query, aborting: AbortSignal): Promise<Response> =>
  sendRead(`${path}${search(query)}`, () => ({ signal: aborting }));

/**
 * Reads a whole answer as a file.
 *
 * @throws ApiError if the connection breaks before the end of the answer, or no byte has arrived for 45 seconds
 */
export async function loadFile(path: string): Promise<Blob> {
  const line = new AbortController();
  const silence = watchSilence(() => line.abort());
  try {
    const { body, headers } = await load(path, {}, line.signal);
    const hear = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, rest) {
        silence.hear();
        rest.enqueue(chunk);
      },
    });
    return await new Response(body?.pipeThrough(hear), { headers }).blob().catch(() => {
      throw new ApiError(0, BROKEN_OFF);
    });
  } finally {
    silence.stop();
  }
}

type Query = Readonly<Record<string, string>>;

function search(query: Query): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Sends a request and updates `isSignedIn` from the answer.
 *
 * @throws ApiError for a refusal
 */
async function send(path: string, init: RequestInit): Promise<Response> {
  const answer = await request(path, init);
  if (answer.status === 401) throw new ApiError(401, SIGN_IN_ENDED);
  if (answer.status === 429)
    limitedUntil.value = Date.now() + Math.max(Number(answer.headers.get('retry-after')) || UNSAID_SECONDS, 1) * 1_000;
  const response = await accepted(answer);
  limitedUntil.value = 0;
  if (hasSignedIn()) isSignedIn.value = true;
  return response;
}

/** Sends a read. As long as the server refuses it with 429, waits as many seconds as it says, and sends the read again. */
async function sendRead(path: string, init: () => RequestInit): Promise<Response> {
  for (;;) {
    await whenAllowed();
    try {
      return await send(path, init());
    } catch (thrown) {
      if (!(thrown instanceof ApiError && thrown.status === 429)) throw thrown;
    }
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const key = pageKey();
  const headers = { ...(init.body ? { 'Content-Type': 'application/json' } : {}), 'Parley-Page-Key': key };
  const first = init.method ? undefined : takeFirstRead(path, init.signal);
  const signal = init.signal ?? AbortSignal.timeout(ANSWER_MS);
  const sending = first ?? fetch(`${API}${path}`, { ...init, signal, headers: { ...headers, ...init.headers } });
  const response = await sending.catch(() => {
    throw new ApiError(0, UNREACHABLE);
  });
  noteServerTime(response);
  // If the page key has changed since the request was sent, the refusal concerns the earlier sign-in. Whether the new
  // sign-in is accepted is not known yet, so `isSignedIn` becomes null.
  if (response.status === 401) isSignedIn.value = pageKey() === key ? false : null;
  return response;
}

async function jsonOf<T>(response: Response): Promise<T> {
  const body = await accepted(response);
  return body.json().catch(() => {
    throw new ApiError(0, UNREACHABLE);
  });
}

async function accepted(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response;
  throw errorFrom(response, await response.json().catch(() => ({})));
}

/** The person who is signed in. Null before the first answer of the server. */
export const me = signal<Me | null>(null);

/** The roles, from the fewest rights to the most. Each role includes the rights of the roles before it. */
const ROLES: readonly Me['role'][] = ['viewer', 'operator', 'approver'];

/**
 * Whether the person has at least the role `needed`. True while the role is not known, because the server checks every
 * call anyway.
 */
export const hasRole = (needed: Me['role']): boolean =>
  me.value === null || ROLES.indexOf(me.value.role) >= ROLES.indexOf(needed);

/**
 * Whether the person of an event is the signed-in person. Events of early versions contain no person, and belong to the
 * holder of the owner key.
 */
export const isMe = (personId: string | undefined): boolean =>
  (personId ?? FIRST_PERSON_ID) === (me.value?.id ?? FIRST_PERSON_ID);
