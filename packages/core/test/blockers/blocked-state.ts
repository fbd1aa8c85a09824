import type { BLOCKER_CODES } from '../../src/areas/task.ts';
import type { Story } from '../model/starting-states.ts';

/** A state of a session in which a blocker with this code exists. */
export interface BlockedState {
  readonly code: (typeof BLOCKER_CODES)[number];
  readonly state: string;
  readonly story: Story;
  /** Every blocker of this code, as `<record> <responsible>`. */
  readonly blockers: readonly string[];
}
