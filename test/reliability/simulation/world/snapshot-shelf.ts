import { createHmac } from 'node:crypto';
import type { Snapshot, StoredSnapshot } from '@parley/core';

/** The snapshots of a run. They outlive a rollback, as those of a primary do that comes back. */
export interface SnapshotShelf {
  put(snapshot: Snapshot): boolean;
  get(sessionId: string, foldVersion: number): StoredSnapshot | null;
  /** All that were ever kept, oldest first. */
  history(sessionId: string, foldVersion: number): readonly StoredSnapshot[];
}

/** Beside each snapshot lies one of the next release, as while a new one is rolled out. */
export function createSnapshotShelf(secret: string): SnapshotShelf {
  const kept = new Map<string, StoredSnapshot[]>();
  const keyOf = (sessionId: string, foldVersion: number): string => `${foldVersion} ${sessionId}`;
  const history = (sessionId: string, foldVersion: number) => kept.get(keyOf(sessionId, foldVersion)) ?? [];
  const add = ({ sessionId, ...snapshot }: Snapshot): void =>
    void kept.set(keyOf(sessionId, snapshot.foldVersion), [...history(sessionId, snapshot.foldVersion), snapshot]);
  return {
    history,
    get: (sessionId, foldVersion) => history(sessionId, foldVersion).at(-1) ?? null,
    put(snapshot) {
      const last = history(snapshot.sessionId, snapshot.foldVersion).at(-1);
      if (last && last.seq === snapshot.seq && last.hash === snapshot.hash) return false;
      add(snapshot);
      add(ofNextRelease(secret, snapshot));
      return true;
    },
  };
}

const SIGNATURE_CHARS = 64;

/** Another release counts turns in another way. Its snapshots are sound for itself. */
function ofNextRelease(secret: string, snapshot: Snapshot): Snapshot {
  const { sessionId, seq, hash } = snapshot;
  const foldVersion = snapshot.foldVersion + 1;
  const [bytes = '', text = ''] = snapshot.body.slice(SIGNATURE_CHARS).split('\n', 2);
  const state = JSON.parse(text);
  const [shape, count, ...rest] = state.members.turns;
  state.members.turns = [shape, count + 1, ...rest];
  const body = `${bytes}\n${JSON.stringify(state)}`;
  const said = `snapshot ${foldVersion} ${seq} ${hash} ${sessionId}\n${body}`;
  const signature = createHmac('sha256', secret).update(said).digest('hex');
  return { sessionId, seq, hash, foldVersion, body: `${signature}${body}` };
}
