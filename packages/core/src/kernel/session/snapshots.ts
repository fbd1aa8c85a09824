import { createHmac } from 'node:crypto';
import { decodeState, encodeState } from '../log/state-codec.ts';
import type { SafeObserver } from '../observe/observer.ts';
import type { Domain, SessionRoot } from '../operation/domain.ts';
import type { Snapshot, Storage } from '../storage/storage.ts';

/** A folded session, as stored and as loaded. */
export interface SizedState<S> {
  readonly state: S;
  /** Its size as the cache counts it. */
  readonly bytes: number;
}

/** Snapshots of folded sessions, so that a long log need not be folded from its first event. */
export interface Snapshots<S> {
  /** A new snapshot is due after this many further events. */
  readonly every: number;
  /**
   * The newest snapshot that this installation wrote with this fold version, or null. It may belong to events that a
   * failover removed. Never rejects.
   */
  load(sessionId: string): Promise<SizedState<S> | null>;
  /**
   * Schedules a snapshot of a state that the storage confirmed; snapshots are written one at a time, outside of
   * requests.
   */
  schedule(sized: SizedState<S>): void;
  /** Waits for the snapshot that is being written and drops the others. */
  close(): Promise<void>;
}

export interface SnapshotOptions {
  /** Key that signs snapshots, so that a snapshot written by anybody else is rejected. */
  readonly key: string;
  readonly every: number;
  /** Receives errors. A failed snapshot never fails a request. */
  readonly onFailure: (error: unknown) => void;
  readonly observer?: SafeObserver | undefined;
}

/** Maximum number of sessions in the queue. A session that is left out is scheduled again as it grows. */
const MAX_WAITING = 100;

/**
 * @returns undefined if the storage has no snapshots
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

/** The signed text: a signature is valid for one session, event and fold version only. */
const signature = (key: string, { sessionId, foldVersion, seq, hash, body }: Snapshot): string =>
  createHmac('sha256', key).update(`snapshot ${foldVersion} ${seq} ${hash} ${sessionId}\n`).update(body).digest('hex');

function read<S extends SessionRoot>(key: string, snapshot: Snapshot): SizedState<S> {
  const body = snapshot.body.slice(SIGNATURE_CHARS);
  if (snapshot.body.slice(0, SIGNATURE_CHARS) !== signature(key, { ...snapshot, body })) {
    throw new Error(`The snapshot of session ${snapshot.sessionId} at ${snapshot.seq} was changed where it is stored.`);
  }
  const end = body.indexOf('\n');
  return { state: decodeState(body.slice(end + 1)) as S, bytes: Number(body.slice(0, end)) };
}
