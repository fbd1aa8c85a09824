import { ROUTES } from '../areas/route-table.ts';
import { backOffMs } from '../kernel/clock.ts';
import { ERROR_KINDS, type ErrorCode, fail, ParleyError } from '../kernel/errors.ts';
import type { Agent } from '../kernel/roles.ts';
import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';
import type { Owner } from '../owner/owner.ts';
import { ownerRoute } from '../routes.ts';
import type { AgentClient, OwnerClient, ToolInput, ToolOutput } from './calls.ts';

/** A call as it is sent. */
export interface Sending {
  readonly method: string;
  /** Path below the address of the transport, with the query. */
  readonly path: string;
  /** The JSON text of the input. Absent for a GET. */
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a second call changes nothing more, so that the call is sent again if no answer arrives. */
  readonly isRepeatable: boolean;
  /** Seconds that the service may wait before it answers. */
  readonly waitSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a call, and resolves to the JSON object in its answer. */
export type Transport = (sending: Sending) => Promise<Readonly<Record<string, unknown>>>;

export interface HttpOptions {
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests instead of the `fetch` of the platform: through a proxy, or with a limit on the length of answers. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds after which a request without an answer is given up, beyond the seconds that the call waits. Default: 20,000. */
  readonly answerMs?: number;
  /** How many times a call that may be repeated is sent again. Default: 3. */
  readonly retries?: number;
}

/**
 * No answer of Parley arrived: the server cannot be reached, the time limit has passed, or a proxy answered. A write may have
 * been stored.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(
    message: string,
    /** The HTTP status of the answer. Undefined if there was none. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
/** A longer pause is left to the caller: the call then ends with the refusal. */
const LONGEST_PAUSE_SECONDS = 120;

/**
 * Creates a transport over HTTP.
 *
 * A call that may be repeated is sent again if no answer of Parley arrives, or if the refusal is about the moment
 * (`RATE_LIMITED`, `SHUTTING_DOWN`, `STORAGE_UNAVAILABLE`): after as many seconds as the refusal says, otherwise after a growing
 * pause. These are reads, calls with a `request_id`, and calls with a `key`.
 *
 * @param url address of the agents' REST interface (it ends in /api/public/agent), or of the owner's API (it ends in /owner/api)
 */
export function overHttp(url: string, options: HttpOptions = {}): Transport {
  const { retries = 3 } = options;
  return async (sending) => {
    for (let failures = 1; ; failures += 1) {
      try {
        return await sendOnce(url, sending, options);
      } catch (error) {
        const seconds = pauseSeconds(error, failures);
        sending.signal?.throwIfAborted();
        if (!sending.isRepeatable || failures > retries || seconds > LONGEST_PAUSE_SECONDS) throw error;
        await pause(seconds * 1_000, sending.signal);
      }
    }
  };
}

const PASSING: readonly ErrorCode[] = ['RATE_LIMITED', 'SHUTTING_DOWN', 'STORAGE_UNAVAILABLE'];

/** Seconds after which a failed call can be sent again. Infinity if the same call would fail again. */
function pauseSeconds(error: unknown, failures: number): number {
  const isPassing = error instanceof NoAnswer || (error instanceof ParleyError && PASSING.includes(error.code));
  if (!isPassing) return Number.POSITIVE_INFINITY;
  const said = error instanceof ParleyError ? error.retryAfterSeconds : undefined;
  return said ?? backOffMs(failures, { ...BACK_OFF, random: Math.random() }) / 1_000;
}

async function sendOnce(
  url: string,
  sending: Sending,
  { headers, fetch: send = fetch, answerMs = 20_000 }: HttpOptions,
) {
  const { method, path, body, waitSeconds = 0, signal } = sending;
  const limit = AbortSignal.timeout(waitSeconds * 1_000 + answerMs);
  const failed = (error: unknown): never => {
    signal?.throwIfAborted();
    if (error instanceof ParleyError || error instanceof NoAnswer) throw error;
    throw new NoAnswer(`No answer came from ${url}. A write may have been stored.`, undefined, { cause: error });
  };
  const response = await send(`${url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...sending.headers },
    ...(body === undefined ? {} : { body }),
    // A redirect would take the key or the token of the request to another address.
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch(failed);
  return answerIn(response, await response.text().catch(failed), url);
}

function answerIn(response: Response, text: string, url: string): Readonly<Record<string, unknown>> {
  const answer = parseOrNull(text);
  if (!isRecord(answer))
    throw new NoAnswer(`${url} answered ${response.status} without a JSON object.`, response.status);
  if (response.ok) return answer;
  const { ok: _no, error, message, ...details } = answer;
  const said = typeof message === 'string' ? message : 'no reason given';
  if (isErrorCode(error)) throw new ParleyError(error, said, { ...retryAfter(response), ...details });
  throw new NoAnswer(`${url} answered ${response.status}: ${said}`, response.status);
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(ERROR_KINDS, code);

/** What a proxy says only in the header: after how many seconds the request can be sent again. */
function retryAfter({ headers }: Response): { readonly retry_after_seconds?: number } {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? { retry_after_seconds: seconds } : {};
}

/** Rejects with the reason of the signal if it aborts. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });

/** Where and how a call is sent. */
interface Address {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The members of an input. */
const membersOf = (input: unknown): Input => (isRecord(input) ? input : {});

/**
 * Returns where and how a call is sent.
 *
 * @param route `METHOD path`. `{name}` in the path is replaced by that member of the input. Query parameters in the path are
 * defaults of the input
 * @returns the input of a GET is in the query, that of a POST in the body
 */
function addressOf(route: string, input: Input): Address {
  const [method = '', pattern = ''] = route.split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const [bare = '', defaults = ''] = pattern
    .replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = rest.get(name);
      rest.delete(name);
      return encodeURIComponent(String(value));
    })
    .split('?');
  if (method === 'POST') return { method, path: bare, body: JSON.stringify(Object.fromEntries(rest)) };
  const query = new URLSearchParams(defaults);
  for (const [name, value] of rest) query.set(name, String(value));
  return { method, path: query.size > 0 ? `${bare}?${query}` : bare };
}

/** The seat of an agent: members of the answer of `redeem`. */
export interface Seat {
  readonly session_id: string;
  readonly token: string;
  readonly role: Agent;
}

/**
 * Exchanges an invitation code for the seat of an agent. The token is valid for 24 hours.
 *
 * @param transport to the agents' REST interface
 * @throws ParleyError INVITATION_INVALID if the code is unknown, used or expired
 */
export async function redeem(
  transport: Transport,
  input: ToolInput<'redeem_invitation'>,
): Promise<ToolOutput<'redeem_invitation'>> {
  return (await transport({ ...addressOf(ROUTES.builder.redeem_invitation, input), isRepeatable: false })) as never;
}

/**
 * Calls the tools of one agent.
 *
 * @param transport to the agents' REST interface
 */
export function createAgentClient(transport: Transport, { session_id, token, role }: Seat): AgentClient {
  const headers = { authorization: `Bearer ${token}` };
  const routes: Readonly<Record<string, string>> = ROUTES[role === 'moderator' ? 'moderator' : 'builder'];
  return {
    async call(name, ...[input, { signal } = {}]) {
      const route = routes[name] ?? fail('NOT_FOUND', `A ${role} has no tool ${name}.`);
      const given = restInput(membersOf(input));
      const { path, ...sending } = addressOf(route, given);
      const whole = path.startsWith('/') ? path : `/sessions/${session_id}/${path}`;
      const isRepeatable = sending.method === 'GET' || typeof given.request_id === 'string';
      const waitSeconds = Number(given.wait ?? /wait=(\d+)/.exec(route)?.[1] ?? 0);
      return (await transport({ ...sending, path: whole, headers, isRepeatable, waitSeconds, signal })) as never;
    },
  };
}

/** `wait_for_activity` shares its route with `get_session_events`, where the seconds to wait are named `wait`. */
const restInput = ({ wait_seconds, ...input }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  wait_seconds === undefined ? input : { ...input, wait: wait_seconds };

/** The header of a write with which the answer has `after` (RFC 7240). */
const WITH_AFTER = { prefer: 'return=representation' } as const;

/**
 * Makes the calls of an owner.
 *
 * @param transport to the owner's API, with the header by which it knows the owner
 */
export const createOwnerClient = (transport: Transport): OwnerClient => ({
  async call(name, ...[input, { key, signal } = {}]) {
    const address = addressOf(ownerRoute(name), membersOf(input));
    const isRepeatable = address.method === 'GET' || key !== undefined;
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return (await transport({ ...address, headers, isRepeatable, signal })) as never;
  },
  async act(name, ...[input, { signal } = {}]) {
    const address = addressOf(ownerRoute(name), membersOf(input));
    return (await transport({ ...address, headers: WITH_AFTER, isRepeatable: false, signal })) as never;
  },
});

/** Makes the calls of an owner in process. The calls about people and accounts need HTTP. */
export const ownerInProcess = (owner: Owner): OwnerClient => ({
  async act(name, ...[given]) {
    const { session_id, ...input } = membersOf(given);
    return (await owner.act(name, String(session_id), input)) as never;
  },
  async call(name, ...[given]) {
    const run: unknown = Reflect.get(owner, name);
    if (typeof run !== 'function') fail('NOT_FOUND', `In process there is no call ${name}.`);
    if (!ownerRoute(name).includes('{session_id}')) return await run(given);
    const { session_id, ...input } = membersOf(given);
    return await run(session_id, input);
  },
});
