import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';

/** What the owner was told by notices. Empty, and without cost, where none are sent. */
export interface Notices {
  /** How often the owner was told of each wait, by its id. */
  readonly told: PersistentMap<number>;
  /** Those that have waited without a break since the owner was told: they are told again once they have ceased. */
  readonly standing: readonly string[];
}

export const emptyNotices: Notices = { told: emptyMap(), standing: [] };

export function evolveNotices(notices: Notices, event: SessionEvent): Notices {
  if (event.kind !== 'notice.delivered') return notices;
  const { wait_id, number, unbroken } = event.data;
  const others = notices.standing.filter((id) => id !== wait_id);
  return {
    told: withEntry(notices.told, wait_id, number),
    standing: unbroken ? [...others, wait_id] : others,
  };
}
