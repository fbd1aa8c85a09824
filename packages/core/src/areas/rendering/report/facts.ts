/** A test of the contract, as the report lists it below each requirement that the test proves. */
export interface ReportedTest {
  readonly id: string;
  readonly title: string;
  /** The status of the scenario, such as `PASSED`. `not run` before the verification. */
  readonly status: string;
  /** The evidence for the valid pass, with the name of the builder that gave it. Empty if there is no valid pass. */
  readonly evidence: readonly { readonly by: string; readonly kind: string; readonly claim: string }[];
  /** The name of the builder that gave the verdict PASS. Empty if there is no valid pass. */
  readonly judge: string;
}

export interface ReportedRequirement {
  readonly id: string;
  readonly text: string;
  readonly criteria: readonly string[];
  readonly isProven: boolean;
  readonly tests: readonly ReportedTest[];
}

export interface ReportedDefect {
  readonly defect_id: string;
  readonly scenario_id: string;
  readonly status: string;
  /** The name of the builder to which the defect is assigned. */
  readonly assigned_to: string;
  /** The note of the verdict on the failed attempt. Empty if the builder that gave the verdict wrote no note. */
  readonly failure: string;
  /** The step that the owner refused because of the fault, and why. Absent if a FAIL opened the defect. */
  readonly refusal?: { readonly stage: string; readonly reason: string } | undefined;
  readonly fix: { readonly note: string; readonly commit: string } | null;
  readonly waiver_reason: string | null;
  /** How the owner reassigned the defect. `to` is a name; `reason` is empty if the owner gave none. */
  readonly reassigned: readonly { readonly to: string; readonly reason: string }[];
}

/** A pass that counts without a rerun for other commits. `attempt` is such as `test-reserve/1`, `by` is a name. */
export interface ReportedCarry {
  readonly attempt: string;
  readonly by: string;
  readonly reason: string;
  /** What differs, for each builder with another commit. `by` is the name of the builder that declared it. */
  readonly changes: readonly {
    readonly by: string;
    readonly since: string;
    readonly to: string;
    readonly paths: number;
  }[];
}

/** A step that people approved. */
export interface ReportedApproval {
  readonly stage: string;
  readonly required: number;
  /** The name of each approver, and the time of the approval. */
  readonly given: readonly { readonly name: string; readonly at: string }[];
}

/** A record in a list of the report, with what others answered. */
export interface ReportedEntry {
  /** Id of the record. Absent if the record has no id. */
  readonly id?: string;
  /** The kind of the record and the names of who takes part, such as `Directive to Ada`. */
  readonly what: string;
  /** Absent if the time does not matter to the reader. */
  readonly at?: string;
  /** What its author wrote. Empty if the author wrote nothing. */
  readonly text: string;
  readonly answers?: readonly { readonly by: string; readonly text: string }[];
}

/** Open records of one kind. `name` is the plural of the kind, such as `open questions`. */
export interface ReportedLeft {
  readonly name: string;
  readonly entries: readonly ReportedEntry[];
}

/** A stage after the verification, with its gates and what the builders reported after its authorization. */
export interface ReportedStage {
  readonly stage: 'deployment' | 'activation';
  readonly isAuthorized: boolean;
  readonly gates: readonly { readonly id: string; readonly title: string; readonly condition: string }[];
  /** `note` is null if the builder has not reported, and empty if its report has no text. */
  readonly reports: readonly { readonly by: string; readonly at: string; readonly note: string | null }[];
}

/** All facts in a report. Texts of agents are unescaped. */
export interface ReportFacts {
  readonly sessionId: string;
  readonly title: string;
  readonly objective: string;
  /** A sentence that is made of codes, such as `Not finished: the session is in VERIFY.` */
  readonly result: string;
  readonly isEnded: boolean;
  /** The name of the person who ended the session. `the owner` if no name is known. */
  readonly endedBy: string;
  readonly endNote: string;
  readonly createdAt: string;
  readonly lastAt: string;
  /** What is not done yet. For an ended session, what was not done at its end. */
  readonly left: readonly ReportedLeft[];
  readonly guardrails: readonly string[];
  readonly people: readonly { readonly name: string; readonly role: string; readonly repository: string }[];
  readonly requirements: readonly ReportedRequirement[];
  readonly decisions: readonly {
    readonly decision_id: string;
    readonly topic: string;
    readonly position: string | null;
  }[];
  readonly defects: readonly ReportedDefect[];
  readonly deviations: readonly { readonly scenario: string; readonly text: string }[];
  readonly carried: readonly ReportedCarry[];
  /** Directives, questions, answers, requests for changes, pauses, notes and tasks of the owner, oldest first. */
  readonly owner: readonly ReportedEntry[];
  /** Reviews, recommendations, holds and questions of the moderator. */
  readonly moderator: readonly ReportedEntry[];
  /** The rollout of the approved contract. Null if no contract is approved. */
  readonly rollout: {
    readonly steps: readonly string[];
    readonly rollback: string;
    readonly stages: readonly ReportedStage[];
  } | null;
  readonly overridden: readonly {
    readonly finding_id: string;
    readonly text: string | null;
    readonly override_reason: string | null;
  }[];
  readonly commits: readonly { readonly name: string; readonly service: string; readonly commit: string }[];
  /** Null if no revision was submitted yet. */
  readonly contract: { readonly revision: string; readonly hash: string; readonly status: string } | null;
  /** What the approved contract builds. Null if no contract is approved. */
  readonly built: {
    readonly summary: string;
    readonly inScope: readonly string[];
    readonly outOfScope: readonly string[];
  } | null;
  readonly approvals: readonly ReportedApproval[];
  readonly head: { readonly seq: number; readonly hash: string };
}
