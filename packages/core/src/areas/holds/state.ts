import { z } from 'zod';
import { emptyMap, lookUp, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../kernel/operation/documented.ts';
import { ActorName, At, FindingId, HoldId } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { RELEASE_CAUSES } from './events.ts';

/** An active hold blocks the approval and every authorization. */
export const HoldView = namedObject('Hold', {
  hold_id: HoldId,
  finding_id: FindingId,
  status: z.enum(['ACTIVE', 'RELEASED']),
  reason: z.string(),
  opened_by: ActorName,
  opened_at: At,
  released: z
    .strictObject({ cause: z.enum(RELEASE_CAUSES), reason: z.string().nullable(), released_at: At })
    .nullable(),
});

export interface Hold extends Readonly<z.output<typeof HoldView>> {
  readonly seq: number;
}

export interface Holds {
  readonly all: PersistentMap<Hold>;
  /** Ids of the active holds, oldest first. A finding has at most one active hold. */
  readonly active: readonly string[];
}

export const holdsSlice: Slice<Holds> = {
  empty: { all: emptyMap(), active: [] },
  folds: {
    'hold.opened': ({ all, active }, { actor, at, seq, data }) => {
      const hold: Hold = { ...data, status: 'ACTIVE', opened_by: actor, opened_at: at, released: null, seq };
      return { all: withEntry(all, data.hold_id, hold), active: [...active, data.hold_id] };
    },
    'hold.released': ({ all, active }, event) => {
      const { hold_id, cause, reason = null } = event.data;
      const hold = lookUp(all, hold_id);
      if (!hold) throw new Error(`An event releases hold ${hold_id}, which was never opened.`);
      const released: Hold = { ...hold, status: 'RELEASED', released: { cause, reason, released_at: event.at } };
      return { all: withEntry(all, hold_id, released), active: active.filter((id) => id !== hold_id) };
    },
  },
};
