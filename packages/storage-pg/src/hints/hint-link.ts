import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds in which a broker must answer. Otherwise its connection counts as broken. */
export const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;

/** One connection that both sends and receives hints. */
export interface HintLink {
  /** Sends payloads. If the connection is broken, the payloads are lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /**
   * Resolves when the connection breaks, when it does not listen any more, or when the signal aborts. Ends the
   * connection before it resolves.
   */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Opens a connection, and resolves when the connection listens. Rejects if it cannot be opened. */
export type OpenHintLink = (onPayload: (payload: string) => void) => Promise<HintLink>;

export interface Watched {
  /** Resolves when the connection reports that it is broken. */
  readonly lost: Promise<false>;
  /** Asks the broker whether this connection still listens. A rejection means that it does not. */
  isListening(): Promise<boolean>;
}

/**
 * Resolves when a connection does not work any more. Asks the broker every ten seconds, because a connection to an
 * unreachable host reports no error.
 */
export async function watchLink({ lost, isListening }: Watched, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const isOver = Promise.race([lost, aborted(signal, ended.signal)]);
  while (await Promise.race([isOver, pause(HEARTBEAT_MS, true, { ref: false })])) {
    if (!(await isListening().catch(() => false))) break;
  }
  ended.abort();
}

/**
 * Resolves when `signal` aborts. When `ended` aborts, removes the listener from `signal`, because `signal` is still
 * used after the connection has ended.
 */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
