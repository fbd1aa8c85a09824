import { type Signal, signal } from '@preact/signals';
import { type Message, readMessage } from '../../../src/transcript/message.ts';
import { ApiError, get, post } from '../api/client.ts';
import { listen } from '../api/event-stream.ts';
import type { SessionView } from '../api/types.ts';
import { newestOf } from './newest-view.ts';
import { readOverview } from './overview.ts';

/** Milliseconds for which events are collected before they are shown. Events arrive in bursts. */
const BATCH_MS = 40;
/** Milliseconds between an event and the read of the view that follows it. */
const VIEW_MS = 120;
const RETRY_MS = 1_000;

type Connection = 'connecting' | 'live' | 'lost';

/** The live state of a session. */
export interface LiveSession {
  readonly sessionId: string;
  readonly view: Signal<SessionView | null>;
  /** All events received so far, oldest first. None occurs twice. */
  readonly events: Signal<readonly Message[]>;
  readonly connection: Signal<Connection>;
  readonly error: Signal<ApiError | null>;
  /**
   * A number that increases with each change of the session. Answers that depend on the state are read again when it changes.
   */
  readonly version: Signal<number>;
  /** Calls an operation and reads the view again. Rejects with ApiError. */
  act<T = unknown>(operation: string, input?: unknown): Promise<T>;
  close(): void;
}

/** Whether a session was erased, never existed or belongs to another owner. Nothing is read for it any more. */
export const isGone = (error: ApiError | null): boolean => error?.code === 'UNKNOWN_RECORD';

export function openSession(sessionId: string): LiveSession {
  const path = `/sessions/${encodeURIComponent(sessionId)}`;
  const view = signal<SessionView | null>(null);
  const error = signal<ApiError | null>(null);
  const version = signal(0);
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reading = 0;

  async function readView(): Promise<void> {
    reading += 1;
    try {
      const answer = await get<SessionView>(path);
      if (isClosed) return;
      const read = newestOf(view.value, answer);
      if (read.head.seq !== view.value?.head.seq) version.value += 1;
      view.value = read;
      error.value = null;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      error.value = thrown;
      if (isGone(thrown)) feed.close();
    } finally {
      reading -= 1;
    }
  }
  /** Reads the view shortly after an event. If a read is in progress then, reads the view once more after it. */
  const readSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (reading > 0) readSoon();
      else void readView();
    }, VIEW_MS);
  };
  const feed = followEvents(path, readSoon);
  void readView();

  return {
    sessionId,
    view,
    events: feed.events,
    connection: feed.connection,
    error,
    version,
    async act<T>(operation: string, input?: unknown) {
      try {
        return await post<T>(`${path}/${operation}`, input);
      } finally {
        // After a refusal the view is read too: the page may have shown an older state.
        await readView();
        void readOverview(true);
      }
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      feed.close();
    },
  };
}

interface EventFeed {
  readonly events: Signal<readonly Message[]>;
  readonly connection: Signal<Connection>;
  close(): void;
}

/** Follows the session's events. If the connection is lost, opens another one and continues after the last event. */
function followEvents(path: string, onNews: () => void): EventFeed {
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
    onNews();
  };
  const take = (data: string): void => {
    const message = readMessage(JSON.parse(data));
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
      const listening = { path: `${path}/events`, after: last, aborting: leaving.signal, onOpen };
      for await (const data of listen(listening)) take(data);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
    }
    if (leaving.signal.aborted) return;
    connection.value = 'lost';
    // Reads the view: only its answer shows whether the session still exists.
    onNews();
    retrying = setTimeout(connect, RETRY_MS);
  };
  void connect();

  return {
    events,
    connection,
    close() {
      leaving.abort();
      clearTimeout(flushing);
      clearTimeout(retrying);
    },
  };
}
