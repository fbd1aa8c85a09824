import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds within which a broker must answer. After that its connection counts as broken. */
export const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;

/** One connection, which both receives and sends hints. */
export interface HintLink {
  /** Sends payloads. If the connection is broken, they are lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /**
   * Waits until the connection is broken, does not listen any more, or the signal aborts. Then ends the connection and
   * resolves.
   */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Opens a connection. Resolves when it listens; rejects if it cannot be opened. */
export type OpenHintLink = (onPayload: (payload: string) => void) => Promise<HintLink>;

/** The parts of a connection that are observed to find out whether it still works. */
export interface Watched {
  /** Resolves when the connection reports that it is broken. */
  readonly lost: Promise<false>;
  /** Asks the broker whether this connection still listens. If it rejects, the answer is no. */
  isListening(): Promise<boolean>;
}

/**
 * Resolves when a connection stops working. Asks the broker every ten seconds, because a connection to an unreachable host
 * reports nothing.
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
 * Resolves when `signal` aborts. When `ended` aborts, removes its listener from `signal`, because that one is used for many
 * connections.
 */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
