import { backOffMs } from '../kernel/back-off.ts';
import { ERROR_KINDS, type ErrorCode } from '../kernel/error-kinds.ts';
import { ParleyError } from '../kernel/errors.ts';
import { isRecord, parseOrNull } from '../kernel/text/json-value.ts';

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
