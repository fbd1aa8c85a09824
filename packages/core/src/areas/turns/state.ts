import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { IdempotencyRecord } from '../../kernel/operation/operation.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { Slice } from '../slice.ts';

interface LastTurn {
  readonly seq: number;
  readonly turn_index: number;
  readonly converged: boolean;
}

export interface Turns {
  /** Number of turns posted so far. It is also the number of the next turn, because turns are counted from 0. */
  readonly count: number;
  readonly lastOf: Readonly<Partial<Record<Builder, LastTurn>>>;
  /** The first use of each idempotency key, by role and key. */
  readonly receipts: PersistentMap<IdempotencyRecord>;
}

export const recordKey = (role: string, key: string): string => `${role} ${key}`;

export const turnsSlice: Slice<Turns> = {
  empty: { count: 0, lastOf: {}, receipts: emptyMap() },
  folds: {
    'turn.posted': (turns, { actor, seq, data: { turn_index, converged = false, idempotency } }) => {
      if (!isBuilder(actor)) return turns;
      const last: LastTurn = { seq, turn_index, converged };
      const receipts = idempotency
        ? withEntry(turns.receipts, recordKey(actor, idempotency.key), { seq, fingerprint: idempotency.fingerprint })
        : turns.receipts;
      return { count: turn_index + 1, lastOf: { ...turns.lastOf, [actor]: last }, receipts };
    },
  },
};
