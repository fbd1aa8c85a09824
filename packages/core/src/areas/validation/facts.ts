import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { lastReplacement } from '../decisions/state.ts';
import type { MissionFacts } from '../document/mission-facts.ts';
import type { SessionState } from '../state.ts';
import type { Position } from './repeated-decision.ts';
import type { DecisionFacts } from './rule.ts';

export const missionFacts = ({ profile }: SessionState): MissionFacts => ({
  requirementIds: profile.requirements.map(({ requirement_id }) => requirement_id),
  fixtureVersion: profile.fixture_version,
});

export const decisionFacts = ({ decisions }: SessionState): DecisionFacts => ({
  statusOf: (id) => lookUp(decisions.all, id)?.status,
  replacementOf: (id) => lastReplacement(decisions, id)?.decision_id,
  resolved: valuesOf(decisions.all).flatMap(({ decision_id, status }) => (status === 'RESOLVED' ? [decision_id] : [])),
});

/** Ids and positions of all decisions that are PROPOSED or RESOLVED. */
export const activePositions = ({ decisions: { all } }: SessionState): Position[] =>
  valuesOf(all).flatMap(({ decision_id, position }) => (position === null ? [] : [{ decision_id, position }]));
