/**
 * Stores and loads snapshots. A snapshot is a folded state stored beside its log, so that a process need not fold a long log from
 * its first event. Its signature with the installation's key covers session, fold version, event and text. If a snapshot
 * contradicts the log, the log is right: the caller checks that the log continues from the snapshot. No request fails because of a
 * snapshot.
 */
import { createHmac } from 'node:crypto';
import { decodeState, encodeState } from '../log/persistent-collections.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Domain, SessionRoot } from '../operation/operation.ts';
import type { Snapshot, Storage } from '../storage/storage.ts';

export interface SizedState<S> {
  readonly state: S;
  /** Bytes that the cache counts for the state. */
  readonly bytes: number;
}

export interface Snapshots<S> {
  /** A session gets a new snapshot after this many events. */
  readonly every: number;
  /**
   * Loads the latest snapshot that this installation has written with this fold version. Null if there is none. If it
   * cannot be read, reports the error to `onFailure` and returns null. A failover may have removed events of the
   * snapshot from the log, so the caller must compare the snapshot with the log. Never rejects.
   */
  load(sessionId: string): Promise<SizedState<S> | null>;
  /**
   * Schedules the save of a state that the storage has confirmed. Requests do not wait for saves, which run one at a time.
   * If a session is scheduled twice, only its newest state is saved.
   */
  schedule(sized: SizedState<S>): void;
  /** Waits for the save in progress, and drops the scheduled saves. */
  close(): Promise<void>;
}

export interface SnapshotOptions {
  /** Key that signs snapshots. A snapshot with another signature is not read. */
  readonly key: string;
  readonly every: number;
  /** Called with each error of a load or save. */
  readonly onFailure: (error: unknown) => void;
  readonly observer?: SafeObserver | undefined;
}

/**
 * Maximum number of scheduled saves. If there are more, the snapshot of a session is skipped until the session has `every` further
 * events.
 */
const MAX_WAITING = 100;

/**
 * Creates the functions with which a process stores and loads snapshots.
 *
 * @returns undefined if the storage does not support snapshots
 */
export function createSnapshots<S extends SessionRoot>(
  storage: Storage,
  { foldVersion }: Domain<S>,
  { key, every, onFailure, observer }: SnapshotOptions,
): Snapshots<S> | undefined {
  if (!storage.saveSnapshot || !storage.loadSnapshot) return undefined;
  const waiting = new Map<string, SizedState<S>>();
  const loading = new Map<string, Promise<SizedState<S> | null>>();
  let running: Promise<void> | undefined;
  let isClosed = false;

  const failed = (outcome: 'failed' | 'unreadable', error: unknown): void => {
    observer?.snapshotEnded(outcome);
    onFailure(error);
  };

  async function saveAll(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = waiting.values();
      if (!next || isClosed) break;
      waiting.delete(next.state.sessionId);
      await save(next).catch((error: unknown) => failed('failed', error));
    }
    running = undefined;
  }

  async function save({ state, bytes }: SizedState<S>): Promise<void> {
    const { sessionId, head } = state;
    const unsigned = { sessionId, foldVersion, ...head, body: `${bytes}\n${await encodeState(state)}` };
    const isKept = await storage.saveSnapshot?.({ ...unsigned, body: signature(key, unsigned) + unsigned.body });
    observer?.snapshotEnded(isKept ? 'saved' : 'refused');
  }

  async function load(sessionId: string): Promise<SizedState<S> | null> {
    try {
      const stored = await storage.loadSnapshot?.(sessionId, foldVersion);
      return stored ? read<S>(key, { ...stored, sessionId, foldVersion }) : null;
    } catch (error) {
      failed('unreadable', error);
      return null;
    } finally {
      loading.delete(sessionId);
    }
  }

  return {
    every,
    load(sessionId) {
      const joined = loading.get(sessionId) ?? load(sessionId);
      loading.set(sessionId, joined);
      return joined;
    },
    schedule(sized) {
      const { sessionId } = sized.state;
      if (isClosed || (waiting.size >= MAX_WAITING && !waiting.has(sessionId))) return;
      waiting.set(sessionId, sized);
      running ??= saveAll();
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}

const SIGNATURE_CHARS = 64;

/** The signature of a snapshot: HMAC-SHA-256 (hex) over session, fold version, event and text. */
const signature = (key: string, { sessionId, foldVersion, seq, hash, body }: Snapshot): string =>
  createHmac('sha256', key).update(`snapshot ${foldVersion} ${seq} ${hash} ${sessionId}\n`).update(body).digest('hex');

function read<S extends SessionRoot>(key: string, snapshot: Snapshot): SizedState<S> {
  const body = snapshot.body.slice(SIGNATURE_CHARS);
  if (snapshot.body.slice(0, SIGNATURE_CHARS) !== signature(key, { ...snapshot, body })) {
    throw new Error(
      `The snapshot of session ${snapshot.sessionId} at event ${snapshot.seq} was modified in the database: its signature does not match.`,
    );
  }
  const end = body.indexOf('\n');
  return { state: decodeState(body.slice(end + 1)) as S, bytes: Number(body.slice(0, end)) };
}
