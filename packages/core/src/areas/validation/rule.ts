import type { DecisionStatus } from '../decisions/events.ts';
import type { Contract } from '../document/contract.ts';
import type { MissionFacts } from '../document/mission-facts.ts';
import type { Issue } from './issue.ts';

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
}

/** A rule that reads only the contract and the mission. Its result for a contract never changes. */
interface ContractRule extends RuleFacts {
  readonly reads: 'contract';
  check(contract: Contract, mission: MissionFacts): Iterable<Fault>;
}

/** A rule that reads the decisions that the contract names or cites, and their current status. */
interface DecisionRule extends RuleFacts {
  readonly reads: 'decisions';
  check(decisionIds: readonly string[], decisions: DecisionFacts, cited: readonly CitedDecision[]): Iterable<Fault>;
}

export type Rule = ContractRule | DecisionRule;
