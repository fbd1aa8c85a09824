/** What the mission fixes for good. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  readonly fixtureVersion: string;
}
