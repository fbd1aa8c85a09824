import type { z } from 'zod';
import { fail } from '../../../kernel/errors.ts';
import { BUILDERS, type Builder } from '../../../kernel/roles.ts';
import type { SessionState } from '../../state.ts';
import type { Commits } from '../events.ts';
import type { Scenario } from './scenarios.ts';

export const undeclared = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => !verify.handshakes[builder]);

/** The commit that each builder has declared. Refuses the call if a handshake is missing. */
export function declaredCommits(state: SessionState): z.output<typeof Commits> {
  const { agent_a, agent_b } = state.verify.handshakes;
  if (agent_a && agent_b) return { agent_a: agent_a.commit, agent_b: agent_b.commit };
  const missing = undeclared(state);
  return fail('HANDSHAKE_INCOMPLETE', `No handshake was declared yet by ${missing.join(' and ')}.`, { missing });
}

/** The builders whose handshake says that the service is not ready or that its dependencies are not healthy. */
export const unready = ({ verify }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const handshake = verify.handshakes[builder];
    return handshake !== undefined && !(handshake.ready && handshake.dependencies_healthy);
  });

/** The builders whose declared fixture_version differs from the fixture_version of the manifest. */
export const onOtherFixture = ({ verify, manifest }: SessionState): Builder[] =>
  BUILDERS.filter((builder) => {
    const declared = verify.handshakes[builder]?.fixture_version;
    return declared !== undefined && declared !== manifest.current?.fixture_version;
  });

/**
 * Whether both services are declared, ready and healthy, and use the fixture_version of the manifest. Only then are
 * test results valid.
 */
export const areSystemsReady = (state: SessionState): boolean =>
  undeclared(state).length === 0 && unready(state).length === 0 && onOtherFixture(state).length === 0;

export function requireDependencies({ test, waitsFor }: Scenario): void {
  if (waitsFor.length === 0) return;
  fail('DEPENDENCY_NOT_PASSED', `${test.id} depends on ${waitsFor.join(', ')}, which must pass first.`, {
    waits_for: [...waitsFor],
  });
}

/**
 * Refuses a PASS if a service is not ready or uses another fixture_version, or if the scenario depends on a scenario
 * that has not passed.
 */
export function requireMeaningful(state: SessionState, scenario: Scenario): void {
  const notReady = unready(state);
  if (notReady.length > 0)
    fail(
      'HANDSHAKE_NOT_READY',
      `A service that is not ready or not healthy was declared by ${notReady.join(' and ')}.`,
      {
        not_ready: notReady,
      },
    );
  const others = onOtherFixture(state);
  if (others.length > 0)
    fail(
      'FIXTURE_MISMATCH',
      `A fixture_version other than that of the manifest was declared by ${others.join(' and ')}.`,
      {
        fixture_version: state.manifest.current?.fixture_version,
        declared_by: others,
      },
    );
  requireDependencies(scenario);
}
