import type { OwnerOutput, SessionCallName, SessionInput } from '@parley/core/client';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Message, messageOf } from '../../../src/transcript/message.ts';
import { ApiError, type SessionView } from '../api/answers.ts';
import { actOnSession, call, isSignedIn, whenSignedIn } from '../api/client.ts';
import { listen } from '../api/event-stream.ts';
import { FIRST_EVENTS } from '../api/first-reads.ts';
import { announceCall } from './announced.ts';
import { newestOf } from './latest-read.ts';
import { readInbox, showInInbox } from './sessions.ts';

/** Milliseconds for which events are collected before they are shown, because events often arrive in groups. */
const BATCH_MS = 40;
/** Milliseconds between an event and the next read of the session's view. */
const VIEW_MS = 120;
const RETRY_MS = 1_000;
/** Number of events that the page adds when the reader scrolls near the oldest event. */
const EARLIER_EVENTS = 200;

type Connection = 'connecting' | 'live' | 'lost';

/** Makes a write on a session, then shows the session as the answer has it. Rejects with ApiError. */
export type Act = <N extends SessionCallName>(name: N, input?: SessionInput<N>) => Promise<OwnerOutput<N>>;

/** A session as the page shows it, kept up to date. */
export interface LiveSession {
  readonly sessionId: string;
  readonly view: Signal<SessionView | null>;
  /**
   * The loaded events of the log, oldest first and without gaps. When the page opens, only the last events are loaded.
   */
  readonly events: Signal<readonly Message[]>;
  /** Whether the log has events before the loaded events. */
  readonly hasEarlier: ReadonlySignal<boolean>;
  /** Reads some earlier events, or all of them. If the connection breaks, adds no events. */
  readEarlier(which?: 'all'): Promise<void>;
  readonly connection: Signal<Connection>;
  readonly error: Signal<ApiError | null>;
  /**
   * A number that increases with each change of the session. When it changes, the answers that depend on the session
   * are read again.
   */
  readonly version: Signal<number>;
  /** Reads the view again. If the read fails, sets `error`. */
  readAgain(): Promise<void>;
  readonly act: Act;
  close(): void;
}

/** What the parts of a session's page get. */
export interface SessionProps {
  readonly live: LiveSession;
  /** The session as the page shows it. */
  readonly view: SessionView;
}

/** What a dialog of a session gets. */
export interface SessionDialogProps extends SessionProps {
  readonly onClose: () => void;
}

/**
 * Whether the session was erased, never existed or belongs to another owner. The page then stops reading the session.
 */
export const isGone = (error: ApiError | null): boolean => error?.code === 'UNKNOWN_RECORD';

interface Opening {
  /** Whether the page receives the session's new events. If false, it reads the session once and after each call. */
  readonly isFollowed?: boolean;
}

export function openSession(sessionId: string, { isFollowed = true }: Opening = {}): LiveSession {
  const kept = keepView(sessionId, () => feed.close());
  const { view, error, version, show, readView, awaiting } = kept;
  const feed = isFollowed ? followEvents(sessionId, kept.readSoon) : NO_FEED;
  void readView();

  return {
    sessionId,
    view,
    events: feed.events,
    hasEarlier: feed.hasEarlier,
    readEarlier: feed.readEarlier,
    connection: feed.connection,
    error,
    version,
    readAgain: readView,
    async act(name, input) {
      const answer = await awaiting(actOnSession(sessionId, name, input)).catch(async (thrown: unknown) => {
        // The page may have shown an old state.
        await readView();
        void readInbox(true);
        throw thrown;
      });
      if (answer.after) {
        show(answer.after.view);
        void showInInbox(answer.after.view);
      } else await readView();
      await announceCall(answer.after);
      return answer;
    },
    close() {
      kept.close();
      feed.close();
    },
  };
}

/**
 * Reads the view of a session, and keeps the newest.
 *
 * @param onGone called when the session is gone
 */
function keepView(sessionId: string, onGone: () => void) {
  const view = signal<SessionView | null>(null);
  const error = signal<ApiError | null>(null);
  const version = signal(0);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of answers with the view that are awaited. */
  let awaited = 0;
  /** Number of the newest event since the view was read. Infinity if it is not known. */
  let newest = 0;

  async function awaiting<T>(answer: Promise<T>): Promise<T> {
    awaited += 1;
    return await answer.finally(() => {
      awaited -= 1;
    });
  }
  function show(answer: SessionView): void {
    if (isClosed) return;
    const read = newestOf(view.value, answer);
    if (read.head.hash !== view.value?.head.hash) version.value += 1;
    view.value = read;
    error.value = null;
  }
  async function readView(): Promise<void> {
    try {
      show(await awaiting(call('view', { session_id: sessionId })));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      // A missing sign-in is not shown as an error, because the sign-in dialog reports it.
      if (thrown.status !== 401) error.value = thrown;
      if (isGone(thrown)) onGone();
    }
  }
  /**
   * Reads the view shortly after the event with the number `seq`, unless by then an answer had a view with this event, or a read found
   * that the session is gone. Waits for the answers that are awaited.
   */
  function readSoon(seq = Number.POSITIVE_INFINITY): void {
    newest = Math.max(newest, seq);
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isGone(error.peek())) return;
      if (awaited > 0) return readSoon(0);
      if (newest > (view.peek()?.head.seq ?? 0)) void readView();
      newest = 0;
    }, VIEW_MS);
  }
  function close(): void {
    isClosed = true;
    clearTimeout(timer);
  }
  return { view, error, version, awaiting, show, readView, readSoon, close };
}

type EventFeed = Pick<LiveSession, 'events' | 'hasEarlier' | 'readEarlier' | 'connection' | 'close'>;

const NO_FEED: EventFeed = {
  events: signal([]),
  hasEarlier: signal(false),
  readEarlier: async () => undefined,
  connection: signal('live'),
  close() {},
};

/** Receives the session's events. If the connection is lost, connects again and continues after the last event. */
function followEvents(sessionId: string, onNews: (seq?: number) => void): EventFeed {
  const events = signal<readonly Message[]>([]);
  const connection = signal<Connection>('connecting');
  const batch: Message[] = [];
  const leaving = new AbortController();
  let last = 0;
  let flushing: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    flushing = undefined;
    events.value = [...events.value, ...batch.splice(0)];
    onNews(last);
  };
  const take = (data: string): void => {
    const message = messageOf(JSON.parse(data));
    if (message.id <= last) return;
    last = message.id;
    batch.push(message);
    flushing ??= setTimeout(flush, BATCH_MS);
  };
  const onOpen = (): void => {
    connection.value = 'live';
    onNews();
  };
  const connect = async (): Promise<void> => {
    try {
      const range = last === 0 ? { last: FIRST_EVENTS } : { after: last };
      const listening = { sessionId, range, aborting: leaving.signal, onOpen };
      for await (const data of listen(listening)) take(data);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
    }
    if (leaving.signal.aborted) return;
    connection.value = 'lost';
    if (isSignedIn.peek() === false) await whenSignedIn();
    if (leaving.signal.aborted) return;
    // Reads the view, whose answer shows whether the session still exists.
    onNews();
    retrying = setTimeout(connect, RETRY_MS);
  };
  void connect();

  return {
    events,
    hasEarlier: computed(() => firstOf(events.value) > 1),
    readEarlier: earlierReader(sessionId, events, leaving.signal),
    connection,
    close() {
      leaving.abort();
      clearTimeout(flushing);
      clearTimeout(retrying);
    },
  };
}

/** The number of the first event. 1 if the list is empty. */
const firstOf = (events: readonly Message[]): number => events[0]?.id ?? 1;

/**
 * Returns a function that adds earlier events before the loaded events. Each call continues where the previous call
 * ended.
 */
function earlierReader(
  sessionId: string,
  events: Signal<readonly Message[]>,
  aborting: AbortSignal,
): LiveSession['readEarlier'] {
  let reading = Promise.resolve();
  const read = async (count: number): Promise<void> => {
    const until = firstOf(events.value) - 1;
    if (until < 1) return;
    const range = { after: Math.max(0, until - count), until };
    const earlier: Message[] = [];
    for await (const data of listen({ sessionId, range, aborting })) earlier.push(messageOf(JSON.parse(data)));
    if (earlier.at(-1)?.id === until) events.value = [...earlier, ...events.value];
  };
  return (which) => {
    const count = which === 'all' ? Number.POSITIVE_INFINITY : EARLIER_EVENTS;
    reading = reading
      .then(() => read(count))
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ApiError)) throw thrown;
      });
    return reading;
  };
}

/**
 * Reads all events of a session if `areNeeded` is true. If some are still missing when the state of the connection
 * changes, tries again.
 *
 * @returns whether the page has all events
 */
export function useAllEvents(live: LiveSession, areNeeded = true): boolean {
  const hasEarlier = live.hasEarlier.value;
  const connection = live.connection.value;
  useEffect(() => {
    if (hasEarlier && areNeeded) void live.readEarlier('all');
  }, [live, hasEarlier, areNeeded, connection]);
  return !hasEarlier;
}
