import type { z } from 'zod';
import { withoutCredentials } from '../areas/credentials/rules.ts';
import { reportRuns, requireReporting } from '../areas/owner/workflows.ts';
import type { SessionState } from '../areas/state.ts';
import { namesOf, type ReportedRuns, reporterOf, type TokenClaims } from '../areas/verify/workflow-reports.ts';
import { type Engine, loadState } from '../kernel/engine/engine.ts';
import { readInput } from '../kernel/operation/input.ts';
import type { InputOf, OutputOf } from '../kernel/operation/operation.ts';
import { bucketOf, type Windows } from '../kernel/token/rate-windows.ts';
import { runOwn } from './own-session.ts';

export type { TokenClaims } from '../areas/verify/workflow-reports.ts';

/** The calls for a service to which workflows report. They check no token, so pass them only claims that are verified. */
export interface WorkflowReports {
  /**
   * Counts a request of a client, like a request without a token.
   *
   * @throws ParleyError RATE_LIMITED
   */
  count(address: string): Promise<void>;
  /** The forge of each issuer whose tokens the session accepts. Empty for an unknown session. */
  issuers(sessionId: string): Promise<ReadonlyMap<string, 'github' | 'gitlab'>>;
  /**
   * Refuses what `report` would refuse because of its claims or scenarios.
   *
   * @returns the tests that the contract names for the builder, for each scenario
   */
  admit(
    sessionId: string,
    claims: TokenClaims,
    scenarioIds: readonly string[],
  ): Promise<readonly { readonly scenario_id: string; readonly names: readonly string[] }[]>;
  /** Stores a report. Names of tests are stored without credentials. */
  report(sessionId: string, reported: InputOf<typeof reportRuns>): Promise<OutputOf<typeof reportRuns>>;
}

export function workflowReports(engine: Engine<SessionState>, { counted }: Windows): WorkflowReports {
  // An unknown session is refused like one whose owner has bound nothing.
  const stateOf = (sessionId: string): Promise<SessionState> =>
    loadState(engine, { sessionId, absent: () => engine.domain.empty(sessionId) });
  return {
    count: async (address) => void (await counted.take(bucketOf('address', address), engine.limits.perAddress, 1)),
    async issuers(sessionId) {
      const { agent_a, agent_b } = (await stateOf(sessionId)).verify.workflows;
      return new Map([agent_a, agent_b].flatMap((bound) => (bound ? [[bound.issuer, bound.forge] as const] : [])));
    },
    async admit(sessionId, claims, scenarioIds) {
      const state = await stateOf(sessionId);
      const role = reporterOf(state, claims);
      requireReporting(state);
      return namesOf(state, role, scenarioIds);
    },
    async report(sessionId, { runs, ...rest }) {
      const { ownerId } = await stateOf(sessionId);
      const input = readInput(reportRuns.input, { ...rest, runs: runs.map(withoutSecrets) });
      return await runOwn({ engine, ownerId, sessionId }, reportRuns, input);
    },
  };
}

type Run = z.input<typeof ReportedRuns>['runs'][number];

const withoutSecrets = ({ report, ...run }: Run): Run => ({
  ...run,
  report: {
    ...report,
    tests: report.tests.map(({ name, suite, status }) => ({
      name: withoutCredentials(name),
      ...(suite !== undefined && { suite: withoutCredentials(suite) }),
      status,
    })),
  },
});
