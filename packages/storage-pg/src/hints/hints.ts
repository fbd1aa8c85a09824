import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs, parseOrNull } from '@parley/core';

type HintListener = (sessionIds: readonly string[]) => void;

/** Sends the ids of changed sessions to other processes, and receives the ids that other processes send. */
export interface Hints {
  onHint(listener: HintListener): () => void;
  hint(sessionIds: readonly string[]): void;
  close(): Promise<void>;
}

/**
 * Sends and receives no hints. Used for a database that only one process can open, or if looking for changes every ten
 * seconds is enough.
 */
export const NO_HINTS: Hints = {
  onHint: () => () => undefined,
  hint: () => undefined,
  close: async () => undefined,
};

/**
 * Called with `isLinked: true` when hints begin to arrive, and with `isLinked: false` and the reason when they stop
 * arriving or the first connection fails. Not called if a broken connection can be opened again at the first try.
 */
export type HintsWatcher = (status: { readonly isLinked: boolean; readonly cause?: unknown }) => void;

/** A broker, such as Redis, that carries the hints instead of the database. */
export interface HintBroker {
  /**
   * Opens the connection for hints.
   *
   * @param installation resolves with an id that is the same for all processes on one database and different for every
   *   other installation; rejects while the database does not answer
   */
  open(installation: () => Promise<string>, onStatus?: HintsWatcher): Hints;
}

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

/** Maximum size of a payload in bytes. PostgreSQL accepts payloads of less than 8,000 bytes. */
const PAYLOAD_BYTES = 7_500;

/**
 * Packs session ids into as few payloads as possible.
 *
 * @param origin identifies the sender, which ignores its own hints
 * @param sessionIds an empty list means that any session may have changed
 */
export function packHints(origin: string, sessionIds: readonly string[]): readonly string[] {
  const payloads: string[] = [];
  let members = [origin];
  let bytes = 0;
  for (const sessionId of sessionIds) {
    const more = Buffer.byteLength(JSON.stringify(sessionId)) + 1;
    if (members.length > 1 && bytes + more > PAYLOAD_BYTES) {
      payloads.push(JSON.stringify(members));
      members = [origin];
      bytes = 0;
    }
    members.push(sessionId);
    bytes += more;
  }
  return [...payloads, JSON.stringify(members)];
}

/**
 * Returns the session ids in a payload. Returns null if this process has sent the payload itself, or if the text is not
 * a payload of Parley.
 */
export function readHint(payload: string, origin: string): readonly string[] | null {
  const members = parseOrNull(payload);
  if (!Array.isArray(members) || typeof members[0] !== 'string' || members[0] === origin) return null;
  return members.slice(1).filter((member) => typeof member === 'string');
}

/**
 * Milliseconds for which each message with hints counts. A process sends `MESSAGES_AT_ONCE` messages without a pause, and at most
 * 100 in a second for longer, because PostgreSQL takes a lock of the whole server for each NOTIFY.
 */
const PAUSE_MS = 10;
const MESSAGES_AT_ONCE = 10;
/**
 * Maximum number of unsent hints. If there are more, the connection is probably broken, and an empty list of hints
 * replaces them. A process that receives an empty list looks at all sessions.
 */
const PENDING_MAX = 10_000;

export interface HintOutbox {
  add(sessionIds: readonly string[]): void;
  /** Sends hints over this connection from now on. If `link` is undefined, hints wait for the next connection. */
  use(link: HintLink | undefined): void;
  /** Sends all waiting hints at once. */
  flush(): Promise<void>;
}

/**
 * Creates the outbox for hints about sessions. A hint is sent in the call that adds it, so that a process that waits for it learns
 * of it before this process does anything else. Hints are collected, and then sent together:
 *
 * - while a message is under way, until the broker has taken it;
 * - after ten messages within 100 ms, until 10 ms have passed for each of them. So the pause is short while there is little to
 *   send, and ten milliseconds while there is much.
 */
export function openHintOutbox(origin: string): HintOutbox {
  let link: HintLink | undefined;
  let pending = new Set<string>();
  let cancel: (() => void) | undefined;
  /** The connection over which a message is under way. */
  let busy: HintLink | undefined;
  /** The time up to which the messages sent so far count. It is in the future while they were sent faster than 100 in a second. */
  let countedUntil = 0;

  async function flush(): Promise<void> {
    cancel?.();
    cancel = undefined;
    if (link === undefined || pending.size === 0) return;
    const payloads = packHints(origin, pending.size > PENDING_MAX ? [] : [...pending]);
    pending = new Set();
    countedUntil = Math.max(countedUntil, performance.now()) + PAUSE_MS;
    const used = link;
    busy = used;
    await used.notify(payloads);
    if (busy !== used) return;
    busy = undefined;
    schedule();
  }

  function schedule(): void {
    if (link === undefined || link === busy || pending.size === 0 || cancel !== undefined) return;
    const ms = countedUntil - performance.now() - (MESSAGES_AT_ONCE - 1) * PAUSE_MS;
    if (ms <= 0) {
      void flush();
      return;
    }
    const timer = setTimeout(flush, ms).unref();
    cancel = () => clearTimeout(timer);
  }

  return {
    add(sessionIds) {
      for (const sessionId of sessionIds) if (pending.size <= PENDING_MAX) pending.add(sessionId);
      schedule();
    },
    use(next) {
      link = next;
      schedule();
    },
    flush,
  };
}

const BACK_OFF = { firstMs: 100, mostMs: 5_000 };

/**
 * Sends and receives hints over their own connection. The connection is opened on first use, and again whenever it
 * breaks. After each opening, the listeners get `[]`, because any session may have changed unnoticed. If the broker is
 * unavailable, no call fails: hints are kept until it can be reached, and the listeners look for changes every ten
 * seconds.
 *
 * Hints are sent in batches, and never inside the transaction of an append, because a NOTIFY in a transaction takes a
 * lock of the whole server.
 */
export function openLinkedHints(open: OpenHintLink, onStatus: HintsWatcher = () => undefined): Hints {
  const origin = randomUUID();
  const outbox = openHintOutbox(origin);
  const listeners = new Set<HintListener>();
  const closing = new AbortController();
  const reportStatus = changesOnly(onStatus);
  let running: Promise<void> | undefined;
  let isLinked = false;

  function notifyListeners(sessionIds: readonly string[]): void {
    for (const listener of listeners) listener(sessionIds);
  }

  function receive(payload: string): void {
    const sessionIds = readHint(payload, origin);
    if (sessionIds !== null) notifyListeners(sessionIds);
  }

  async function useLink(link: HintLink): Promise<void> {
    isLinked = true;
    reportStatus(true);
    outbox.use(link);
    setImmediate(notifyListeners, []);
    await link.untilLost(closing.signal);
    outbox.use(undefined);
    isLinked = false;
  }

  function failed(cause: unknown): undefined {
    if (!closing.signal.aborted) reportStatus(false, cause);
  }

  async function keepLinked(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      const link = await open(receive).catch(failed);
      failures = link === undefined ? failures + 1 : 0;
      if (link !== undefined) await useLink(link);
      await rest(failures, closing.signal);
    }
  }

  return {
    onHint(listener) {
      const own: HintListener = (sessionIds) => listener(sessionIds);
      listeners.add(own);
      running ??= keepLinked();
      return () => listeners.delete(own);
    },
    hint(sessionIds) {
      outbox.add(sessionIds);
      running ??= keepLinked();
    },
    async close() {
      listeners.clear();
      await outbox.flush();
      closing.abort();
      // Waits until an open connection has ended. A connection that is still opening ends by itself as soon as it is
      // open.
      if (isLinked) await running;
    },
  };
}

function changesOnly(watcher: HintsWatcher): (isLinked: boolean, cause?: unknown) => void {
  let last: boolean | undefined;
  return (isLinked, cause) => {
    if (isLinked !== last) watcher({ isLinked, ...(cause === undefined ? {} : { cause }) });
    last = isLinked;
  };
}

/**
 * Pauses before the next attempt to connect: for 75 to 100 ms after a connection broke, and for longer after each
 * further failure to connect.
 */
async function rest(failures: number, signal: AbortSignal): Promise<void> {
  const pauseMs = backOffMs(failures + 1, { ...BACK_OFF, random: Math.random() });
  await pause(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
}
