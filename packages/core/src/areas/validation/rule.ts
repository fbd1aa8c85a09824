import type { DecisionStatus } from '../decisions/events.ts';
import type { Contract } from '../document/contract.ts';
import type { MissionFacts } from '../document/mission-facts.ts';
import type { Issue } from './issue.ts';

/** Pointer and message of a fault. Messages quote ids, never long texts. */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** Current status of the decisions. */
export interface DecisionFacts {
  statusOf(decisionId: string): DecisionStatus | undefined;
  /** Ids of all RESOLVED decisions. */
  readonly resolved: readonly string[];
}

export interface RuleFacts {
  /** In capitals. Never changed, and never reused for another rule. */
  readonly code: string;
  readonly severity: Issue['severity'];
  /** The condition that a contract must meet, in a sentence. */
  readonly explanation: string;
  /** How the author corrects the fault. */
  readonly hint: string;
}

/** A rule that reads the contract and the mission: its result for the same bytes never changes. */
export interface ContractRule extends RuleFacts {
  readonly reads: 'contract';
  check(contract: Contract, mission: MissionFacts): Iterable<Fault>;
}

/** A rule that reads the contract's decision ids and the current status of those decisions. */
export interface DecisionRule extends RuleFacts {
  readonly reads: 'decisions';
  check(decisionIds: readonly string[], decisions: DecisionFacts): Iterable<Fault>;
}

export type Rule = ContractRule | DecisionRule;
