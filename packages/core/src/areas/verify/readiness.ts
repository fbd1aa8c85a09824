import { fail } from '../../kernel/errors.ts';
import { BUILDERS, type Builder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import type { Scenario } from './scenarios.ts';
import type { Commits } from './state.ts';

/** The builders that have not declared a handshake on the manifest in force. */
export const undeclared = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => !verify.handshakes[builder]);

/** Both declared commits. */
export function declaredCommits(state: SessionState): Commits {
  const { agent_a, agent_b } = state.verify.handshakes;
  if (agent_a && agent_b) return { agent_a: agent_a.commit, agent_b: agent_b.commit };
  const missing = undeclared(state);
  return fail('HANDSHAKE_INCOMPLETE', `No commit is declared by ${missing.join(' and ')}.`, { missing });
}

/** The builders that say they are not ready, or whose dependencies are not healthy. */
export const unready = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const handshake = verify.handshakes[builder];
    return handshake !== undefined && !(handshake.ready && handshake.dependencies_healthy);
  });

/** The builders that declared another fixture_version than the manifest's. */
export const onOtherFixture = ({ verify, manifest }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const declared = verify.handshakes[builder]?.fixture_version;
    return declared !== undefined && declared !== manifest.current?.fixture_version;
  });

/** Whether both sides are in a state in which a result would mean something. */
export const areSystemsReady = (state: SessionState): boolean =>
  undeclared(state).length === 0 && unready(state).length === 0 && onOtherFixture(state).length === 0;

/** Refuses a scenario whose dependencies have not all passed. */
export function requireDependencies({ test, waitsFor }: Scenario): void {
  if (waitsFor.length === 0) return;
  fail('DEPENDENCY_NOT_PASSED', `${test.id} depends on what has not passed: ${waitsFor.join(', ')}.`, {
    waits_for: [...waitsFor],
  });
}

/** What refuses a PASS whatever the evidence says. */
export function requireMeaningful(state: SessionState, scenario: Scenario): void {
  const notReady = unready(state);
  if (notReady.length > 0)
    fail('HANDSHAKE_NOT_READY', `Not ready or not healthy by its handshake: ${notReady.join(' and ')}.`, {
      not_ready: notReady,
    });
  const others = onOtherFixture(state);
  if (others.length > 0)
    fail('FIXTURE_MISMATCH', `Another fixture_version than the manifest's is declared by ${others.join(' and ')}.`, {
      fixture_version: state.manifest.current?.fixture_version,
      declared_by: others,
    });
  requireDependencies(scenario);
}
