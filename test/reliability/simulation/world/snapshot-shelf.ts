import { createHmac } from 'node:crypto';
import type { Snapshot, StoredSnapshot } from '@parley/core';

/** The snapshots of a run. A rollback removes none of them, so a snapshot may be ahead of the log. */
export interface SnapshotShelf {
  put(snapshot: Snapshot): boolean;
  get(sessionId: string, foldVersion: number): StoredSnapshot | null;
  /** All snapshots that were ever stored, oldest first. */
  history(sessionId: string, foldVersion: number): readonly StoredSnapshot[];
}

/**
 * Creates an empty shelf. With each snapshot, `put` also stores the snapshot that the next release would have stored in
 * its place, as in a rolling upgrade.
 */
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

/** The same snapshot as the next release, which counts turns differently, would store it. */
function ofNextRelease(secret: string, snapshot: Snapshot): Snapshot {
  const { sessionId, seq, hash } = snapshot;
  const foldVersion = snapshot.foldVersion + 1;
  const [bytes = '', text = ''] = snapshot.body.slice(SIGNATURE_CHARS).split('\n', 2);
  const encoded = JSON.parse(text);
  encoded.state.turns.count += 1;
  const body = `${bytes}\n${JSON.stringify(encoded)}`;
  const said = `snapshot ${foldVersion} ${seq} ${hash} ${sessionId}\n${body}`;
  const signature = createHmac('sha256', secret).update(said).digest('hex');
  return { sessionId, seq, hash, foldVersion, body: `${signature}${body}` };
}
