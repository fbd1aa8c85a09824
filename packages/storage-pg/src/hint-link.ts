import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds in which a broker must answer; then its connection counts as broken. */
export const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;

/** One connection that receives and sends hints. */
export interface HintLink {
  /** Sends payloads. Payloads sent on a broken connection are lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /**
   * Waits until the connection is broken or no longer listens, or the signal aborts. Then ends the connection and
   * resolves.
   */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Opens a connection. Resolves once it listens; rejects if it cannot be opened. */
export type OpenHintLink = (onPayload: (payload: string) => void) => Promise<HintLink>;

/** The parts of a link that `untilLost` observes. */
export interface Watched {
  /** Resolves when the connection reports that it is broken. */
  readonly lost: Promise<false>;
  /** Asks the broker whether this connection still listens; a rejection counts as no. */
  isListening(): Promise<boolean>;
}

/** Asks every ten seconds, because a connection to an unreachable host reports nothing. */
export async function watchLink({ lost, isListening }: Watched, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const isOver = Promise.race([lost, aborted(signal, ended.signal)]);
  while (await Promise.race([isOver, pause(HEARTBEAT_MS, true, { ref: false })])) {
    if (!(await isListening().catch(() => false))) break;
  }
  ended.abort();
}

/** Removes the listener when `ended` resolves: the signal outlives many connections. */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
