import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds in which a broker must answer. After that, its connection counts as broken. */
export const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;

/** One connection that both sends and receives hints. */
export interface HintLink {
  /** Sends payloads. If the connection is broken, the payloads are lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /**
   * Resolves when the connection is broken, when it no longer listens, or when the signal aborts. Before that, ends the
   * connection.
   */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Opens a connection. Resolves when the connection listens; rejects if it cannot be opened. */
export type OpenHintLink = (onPayload: (payload: string) => void) => Promise<HintLink>;

/** The signs that a connection no longer works. */
export interface Watched {
  /** Resolves when the connection reports that it is broken. */
  readonly lost: Promise<false>;
  /** Asks the broker whether this connection still listens. If it rejects, the connection does not listen. */
  isListening(): Promise<boolean>;
}

/**
 * Resolves when a connection no longer works. Asks the broker every ten seconds, because a connection to an unreachable
 * host reports no error.
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
 * Resolves when `signal` aborts. When `ended` aborts, its listener on `signal` is removed, because `signal` is used longer
 * than the connection.
 */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
