import type { Role } from '../roles.ts';

/** Maximum number of roles in sessions whose heads are kept. Beyond it, the head that was shown longest ago is dropped. */
const MAX_HEADS = 20_000;

/**
 * The number of the latest event that this process has shown to each role of a session, in an answer to a read. It is
 * kept in memory only, so it is unknown for an answer of another process or before a restart.
 */
export interface ShownHeads {
  note(sessionId: string, role: Role, seq: number): void;
  /** Undefined if this process has answered no read of the role. */
  of(sessionId: string, role: Role): number | undefined;
}

export function createShownHeads(): ShownHeads {
  const heads = new Map<string, number>();
  const keyOf = (sessionId: string, role: Role): string => `${sessionId} ${role}`;
  return {
    note(sessionId, role, seq) {
      if (role === 'owner') return;
      const key = keyOf(sessionId, role);
      const latest = Math.max(seq, heads.get(key) ?? 0);
      heads.delete(key);
      heads.set(key, latest);
      const [oldest] = heads.size > MAX_HEADS ? heads.keys() : [];
      if (oldest !== undefined) heads.delete(oldest);
    },
    of: (sessionId, role) => heads.get(keyOf(sessionId, role)),
  };
}
