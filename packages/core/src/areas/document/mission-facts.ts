/** Facts about the mission that do not change during a session. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  readonly fixtureVersion: string;
}
