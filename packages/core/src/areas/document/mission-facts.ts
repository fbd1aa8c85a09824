import type { ProfileName } from '../profiles.ts';

/** Facts about the mission that do not change during a session. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  /** Ids of the scenarios of the agenda. */
  readonly scenarioIds: readonly string[];
  readonly fixtureVersion: string;
  readonly profile: ProfileName;
}
