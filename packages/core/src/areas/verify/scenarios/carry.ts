/**
 * Carrying a pass over: a pass that became stale with another commit counts for that commit without a rerun. The
 * contract says for each test who may do so. Each builder whose commit differs has to declare what differs from the
 * commit of the attempt; whoever carries the pass over judges the declared paths, and gives a reason.
 */

import type { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { BUILDERS, type Builder, otherBuilder } from '../../../kernel/roles.ts';
import type { SessionDraft } from '../../catalog.ts';
import type { SessionState } from '../../state.ts';
import { isSameCommit } from '../commits.ts';
import type { DeclaredChange } from '../events.ts';
import type { Attempt, Defect } from '../record.ts';
import { unfixedDefects } from '../rules.ts';
import { declaredCommits, onOtherFixture, requireMeaningful, unready } from './readiness.ts';
import { passOf, type Scenario, scenarioOf, standingDefects } from './scenarios.ts';

/** A stale pass that the contract lets somebody carry over, and what the builders with another commit declare. */
export interface StalePass {
  readonly pass: Attempt;
  readonly changes: z.output<typeof DeclaredChange>[];
  /** The builders with another commit that do not declare what differs. While there are any, nobody can carry. */
  readonly silent: readonly Builder[];
  /** The builder that may carry the pass over beside the owner. Undefined if only the owner may. */
  readonly carrier: Builder | undefined;
}

/**
 * Undefined unless the scenario has a stale pass, no defect and passed dependencies, both sides are ready on the fixture
 * of the manifest, and the contract says who may carry. Also undefined while the fix of a defect needs another commit, which would make the pass stale again.
 */
export function stalePassOf(state: SessionState, scenario: Scenario): StalePass | undefined {
  const pass = staleAttempt(scenario);
  if (!scenario.test.evidence_policy?.carry || !pass || scenario.waitsFor.length > 0) return undefined;
  const isLeft = defectOn(state, scenario) === undefined && unfixedDefects(state.verify).length === 0;
  const isFit = unready(state).length === 0 && onOtherFixture(state).length === 0;
  return !isLeft || !isFit ? undefined : comparedPass(state, scenario, pass);
}

interface Carry {
  readonly scenario_id: string;
  readonly by: Builder | 'owner';
  readonly reason: string;
}

/**
 * The event that carries a stale pass over to the declared commits. They are compared with the commits of its attempt,
 * also if the pass was carried over before.
 */
export function carryDraft(state: SessionState, { scenario_id, by, reason }: Carry): SessionDraft {
  const scenario = scenarioOf(state, scenario_id);
  const defect = defectOn(state, scenario);
  if (defect) refuseDefect(scenario_id, defect);
  const pass = staleAttempt(scenario) ?? refuseStatus(scenario);
  const commits = declaredCommits(state);
  const { carrier, silent, changes } = comparedPass(state, scenario, pass);
  requireCarrier(scenario, by, carrier);
  for (const other of silent)
    refuseSilent(other, `${pass.commits[other]}, on which ${scenario_id}/${pass.attempt} passed`);
  requireMeaningful(state, scenario);
  const data = { scenario_id, attempt: pass.attempt, verified: pass.commits, commits, reason, changes };
  return { kind: 'pass.carried', data };
}

const staleAttempt = ({ status, record }: Scenario): Attempt | undefined =>
  status === 'STALE' ? passOf(record) : undefined;

const defectOn = (state: SessionState, { test }: Scenario): Defect | undefined =>
  standingDefects(state).find(({ scenario_id }) => scenario_id === test.id);

function comparedPass({ verify }: SessionState, { test }: Scenario, pass: Attempt): StalePass {
  const moved = BUILDERS.filter((by) => !isSameCommit(verify.handshakes[by]?.commit ?? '', pass.commits[by]));
  const changes = moved.flatMap((declared_by) => {
    const since = pass.commits[declared_by];
    const compared = Object.entries(verify.handshakes[declared_by]?.changes ?? {});
    const paths = compared.find(([commit]) => isSameCommit(commit, since))?.[1];
    return paths ? [{ declared_by, since, paths: paths.length }] : [];
  });
  const silent = moved.filter((by) => !changes.some(({ declared_by }) => declared_by === by));
  const [one, another] = moved;
  const isOther = test.evidence_policy?.carry === 'other_agent' && one !== undefined && another === undefined;
  return { pass, changes, silent, carrier: isOther ? otherBuilder(one) : undefined };
}

const refuseStatus = ({ test, status }: Scenario): never =>
  fail('ATTEMPT_CLOSED', `Scenario ${test.id} is ${status}: only a stale pass can be carried over.`, {
    status,
    hint: 'Read the board: it says who has the next step of the scenario.',
  });

const refuseDefect = (id: string, { defect_id, assigned_to, status }: Defect): never =>
  fail('DEFECT_OPEN', `The pass of ${id} cannot be carried over: its defect ${defect_id} is ${status}.`, {
    defect_id,
    assigned_to,
  });

const refuseSilent = (by: Builder, since: string): never =>
  fail('HANDSHAKE_INCOMPLETE', `${by} has not declared in changes of its handshake what differs from ${since}.`, {
    missing: [by],
    hint: `Ask ${by} to declare it; parley commit-changes prints it from git. Or let the scenario run again.`,
  });

function requireCarrier({ test: { id, evidence_policy } }: Scenario, by: Builder | 'owner', carrier?: Builder): void {
  const hint = 'Let the scenario run again.';
  if (!evidence_policy?.carry)
    fail('NOT_ASSIGNED', `The contract lets nobody carry a pass of ${id} over: its evidence_policy has no carry.`, {
      hint,
    });
  if (by === 'owner' || by === carrier) return;
  const who = carrier ? `${carrier} or the owner` : 'the owner';
  fail('NOT_ASSIGNED', `Only ${who} can carry this pass of ${id} over.`, { hint });
}
