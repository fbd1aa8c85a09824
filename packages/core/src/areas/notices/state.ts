import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { SessionEvent } from '../catalog.ts';

/** Record of delivered notices. Empty if the service sends none. */
export interface Notices {
  /** Number of notices delivered for each wait, by the wait's id. */
  readonly told: PersistentMap<number>;
  /** Ids of waits that have not ended since their notice; no further notice is due for them. */
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
