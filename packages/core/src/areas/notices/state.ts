import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import type { Slice } from '../catalog.ts';

/** The notices that were delivered. Empty if the service sends no notices. */
export interface Notices {
  /** Number of delivered notices about each task of the owner, by the `wait_id` of the task. */
  readonly told: PersistentMap<number>;
  /** Ids of the tasks that still wait after a notice about them was delivered. These tasks cause no further notice. */
  readonly standing: readonly string[];
  /** For each role, the time at which the last notice about its absence was delivered. */
  readonly absences: Readonly<Record<string, string>>;
}

export const noticesSlice: Slice<Notices> = {
  empty: { told: emptyMap(), standing: [], absences: {} },
  folds: {
    'notice.delivered': (notices, { at, data: { wait_id, number, unbroken } }) => {
      const told = withEntry(notices.told, wait_id, number);
      const absent = /^AGENT_ABSENT:(.+)$/.exec(wait_id)?.[1];
      if (absent !== undefined) return { ...notices, told, absences: { ...notices.absences, [absent]: at } };
      const others = notices.standing.filter((id) => id !== wait_id);
      return { ...notices, told, standing: unbroken ? [...others, wait_id] : others };
    },
  },
};
