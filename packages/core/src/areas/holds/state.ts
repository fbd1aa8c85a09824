import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Actor } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';
import type { RELEASE_CAUSES } from './events.ts';

export const HOLD_STATUSES = ['ACTIVE', 'RELEASED'] as const;

/** An active hold blocks the approval and every authorization. */
export interface Hold {
  readonly holdId: string;
  readonly findingId: string;
  readonly reason: string;
  readonly openedBy: Actor;
  readonly at: string;
  readonly seq: number;
  readonly released: {
    readonly cause: (typeof RELEASE_CAUSES)[number];
    readonly reason: string | null;
    readonly at: string;
  } | null;
}

export interface Holds {
  readonly all: PersistentMap<Hold>;
  /** Ids of the active holds, oldest first. A finding has at most one active hold. */
  readonly active: readonly string[];
}

export const holdsSlice: Slice<Holds> = {
  empty: { all: emptyMap(), active: [] },
  folds: {
    'hold.opened': ({ all, active }, event) => {
      const { hold_id, finding_id, reason } = event.data;
      const hold = {
        holdId: hold_id,
        findingId: finding_id,
        reason,
        openedBy: event.actor,
        at: event.at,
        seq: event.seq,
        released: null,
      };
      return { all: withEntry(all, hold_id, hold), active: [...active, hold_id] };
    },
    'hold.released': ({ all, active }, event) => {
      const { hold_id, cause, reason = null } = event.data;
      const hold = lookUp(all, hold_id);
      if (!hold) throw new Error(`An event releases hold ${hold_id}, which was never opened.`);
      const released = { cause, reason, at: event.at };
      return { all: withEntry(all, hold_id, { ...hold, released }), active: active.filter((id) => id !== hold_id) };
    },
  },
};
