/** Facts about the mission that do not change during a session. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  /** Ids of the scenarios of the agenda. */
  readonly scenarioIds: readonly string[];
  readonly fixtureVersion: string;
  /** Codes of the validation rules that do not apply. */
  readonly waived: readonly string[];
}
