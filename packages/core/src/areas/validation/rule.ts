import type { DecisionStatus } from '../decisions/events.ts';
import type { Contract } from '../document/contract.ts';
import type { MissionFacts } from '../document/mission-facts.ts';
import type { Issue } from './issue.ts';

/** Where and what, as a rule reports it. Messages quote ids, never texts of any length. */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** Where the decisions stand at present. */
export interface DecisionFacts {
  statusOf(decisionId: string): DecisionStatus | undefined;
  /** Ids of all RESOLVED decisions. */
  readonly resolved: readonly string[];
}

export interface RuleFacts {
  /** Stable, in capitals; never used for another rule. */
  readonly code: string;
  readonly severity: Issue['severity'];
  /** Why the rule exists, in one or two sentences. */
  readonly explanation: string;
  /** What the author does about it. */
  readonly hint: string;
}

/** A rule over the contract and what the mission fixes: its result never changes for the same bytes. */
export interface ContractRule extends RuleFacts {
  readonly reads: 'contract';
  check(contract: Contract, mission: MissionFacts): Iterable<Fault>;
}

/** A rule over the contract's decision ids and where those decisions stand at present. */
export interface DecisionRule extends RuleFacts {
  readonly reads: 'decisions';
  check(decisionIds: readonly string[], decisions: DecisionFacts): Iterable<Fault>;
}

export type Rule = ContractRule | DecisionRule;
