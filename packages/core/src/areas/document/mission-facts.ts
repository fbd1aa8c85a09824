/** Facts of the mission that never change during a session. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  readonly fixtureVersion: string;
}
