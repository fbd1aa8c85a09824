import { z } from 'zod';
import { type BoundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { namedObject } from '../../kernel/operation/json-schema.ts';
import type { Contract } from '../document/contract.ts';
import type { DecisionStatus } from '../planning/events.ts';

/**
 * A fault that a rule found in a contract. While a revision has an issue with severity error, it cannot be certified.
 */
export const IssueView = namedObject('Issue', {
  code: z.string().describe('Stable code; get_contract_schema explains it.'),
  severity: z.enum(['error', 'warning']),
  pointer: z.string().describe('JSON Pointer; empty for the whole contract.'),
  message: z.string(),
  hint: z.string().describe('How the author corrects the fault.'),
});
export type Issue = Readonly<z.output<typeof IssueView>>;

/** Maximum number of issues in an answer. The counts include all issues. */
export const MAX_ISSUES = 100;

/** Pointer and message of a fault. A message may quote ids, but not long texts. */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** A decision that a text of the contract cites by its id, and the JSON Pointer of the first such text. */
export interface CitedDecision {
  readonly id: string;
  readonly pointer: string;
}

export interface DecisionFacts {
  statusOf(decisionId: string): DecisionStatus | undefined;
  readonly resolved: readonly string[];
  /** The topics of the agenda, each with the id of its decision that is PROPOSED or RESOLVED, or null. */
  readonly topics: readonly { readonly topic: string; readonly decision_id: string | null }[];
  /** The id of the newest decision that replaced a superseded decision. Undefined if none did. */
  replacementOf(decisionId: string): string | undefined;
}

export interface RuleFacts {
  /** The code of the rule, in capitals. It must never change or be used for another rule. */
  readonly code: string;
  readonly severity: Issue['severity'];
  /** The condition that a contract must meet, as a sentence. */
  readonly explanation: string;
  readonly hint: string;
  /** True for a rule that applies only to a session with an agenda. */
  readonly ofAgenda?: true;
}

/** A rule that reads only the contract and the mission. Its result for a contract never changes. */
export interface ContractRule extends RuleFacts {
  check(contract: Contract, mission: MissionFacts): Iterable<Fault>;
}

/** A rule that reads the decisions that the contract names or cites, and their current status. */
export interface DecisionRule extends RuleFacts {
  check(decisionIds: readonly string[], decisions: DecisionFacts, cited: readonly CitedDecision[]): Iterable<Fault>;
}

/** The result of a validation. Its lists together contain at most 100 issues; the counts include all issues. */
export const ValidationFields = {
  validator_version: z.string(),
  errors: z.array(IssueView),
  warnings: z.array(IssueView),
  error_count: z.int(),
  warning_count: z.int(),
  ...LEFT_OUT,
};

export const viewIssue = (issue: Issue): z.output<typeof IssueView> => ({ ...issue });

export const listIssues = (lists: BoundedLists, issues: readonly Issue[]) =>
  lists.list({ records: issues, view: viewIssue, how: () => 'Correct the listed issues, then validate again.' });

/** Facts about the mission that do not change during a session. */
export interface MissionFacts {
  readonly requirementIds: readonly string[];
  /** Ids of the scenarios of the agenda. */
  readonly scenarioIds: readonly string[];
  readonly fixtureVersion: string;
  /** Codes of the validation rules that do not apply. */
  readonly waived: readonly string[];
}
