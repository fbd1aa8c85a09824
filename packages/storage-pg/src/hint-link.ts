import { setTimeout as pause } from 'node:timers/promises';

/** How long a broker may take to answer before its connection counts as broken. */
export const ANSWER_MS = 5_000;
const HEARTBEAT_MS = 10_000;

/** One connection that hears hints and sends them. */
export interface HintLink {
  /** Sends payloads. What a broken connection loses is lost. */
  notify(payloads: readonly string[]): Promise<void>;
  /** Resolves, and ends the connection, when it broke, when it no longer listens or when the signal comes. */
  untilLost(signal: AbortSignal): Promise<void>;
}

/** Opens a connection. Rejects when there is none to be had; resolves once it listens. */
export type OpenHintLink = (onPayload: (payload: string) => void) => Promise<HintLink>;

/** What `untilLost` of a link waits for. */
export interface Watched {
  /** Resolves when the connection says itself that it broke. */
  readonly lost: Promise<false>;
  /** Asks the broker whether this connection still listens; a rejection is a no. */
  isListening(): Promise<boolean>;
}

/** Asks every ten seconds: of a connection that leads nowhere nobody tells. */
export async function watchLink({ lost, isListening }: Watched, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const isOver = Promise.race([lost, aborted(signal, ended.signal)]);
  while (await Promise.race([isOver, pause(HEARTBEAT_MS, true, { ref: false })])) {
    if (!(await isListening().catch(() => false))) break;
  }
  ended.abort();
}

/** Listens no longer than until `ended`: the signal outlives many connections. */
const aborted = (signal: AbortSignal, ended: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    signal.addEventListener('abort', () => resolve(false), { once: true, signal: ended });
  });
