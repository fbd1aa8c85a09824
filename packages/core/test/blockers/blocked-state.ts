import type { BLOCKER_CODES } from '../../src/areas/blockers/blocker.ts';
import type { Story } from '../model/starting-states.ts';

/** A session with a blocker of this code, alone or among others. */
export interface BlockedState {
  readonly code: (typeof BLOCKER_CODES)[number];
  readonly state: string;
  readonly story: Story;
  /** Every blocker of this code, as `<record> <responsible>`. */
  readonly blockers: readonly string[];
}
