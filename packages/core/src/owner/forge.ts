/**
 * The tokens with which Parley posts commit statuses. Each is in a log of its own with one event, stored like a session under an id
 * that no session has, because events of a session are never changed or erased before the session. It is encrypted with a key that is
 * derived from the secret of the installation, the session and the repository, so that a token is never sent to another address than
 * that with which the owner sent it.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { withoutCredentials } from '../areas/credentials/rules.ts';
import { reportStatus } from '../areas/links/operations.ts';
import { type DueStatus, dueStatuses, isSettled, targetIn } from '../areas/links/rules.ts';
import { type Link, targetOf } from '../areas/links/state.ts';
import { linkChange, reportRuns, requireReporting, unlinkChange } from '../areas/owner/links.ts';
import type { SessionState } from '../areas/state.ts';
import { namesOf, type ReportedRuns, reporterOf, type TokenClaims } from '../areas/verify/given-evidence.ts';
import { type Engine, loadState } from '../kernel/engine/engine.ts';
import { fail, ParleyError } from '../kernel/errors.ts';
import { attributed, readIntactEvent } from '../kernel/log/event.ts';
import { defineEvents, ownersOnly } from '../kernel/log/event-catalog.ts';
import { readInput } from '../kernel/operation/input.ts';
import type { InputOf, Operation, OutputOf } from '../kernel/operation/operation.ts';
import { FORGE_TOKEN_LOG_PREFIX, FORGE_TOKEN_OWNER } from '../kernel/person.ts';
import { BUILDERS, type Builder } from '../kernel/roles.ts';
import { createExactly, prepareEvents } from '../kernel/session/append.ts';
import { ownLogDomain } from '../kernel/session/own-log.ts';
import { bucketOf, type Windows } from '../kernel/token/rate-windows.ts';
import { seal, unseal } from '../kernel/token/token.ts';
import type { Committed } from '../kernel/waiting/wake-ups.ts';
import { judgedPerson, type OwnSession, ownState, runOwn, sessionsOf, unknownSession } from './own-session.ts';

const tokenEvents = defineEvents({
  'token.kept': ownersOnly({ sealed: z.string() }),
});

/** The title of the log is the id of its session, so that a list finds the sessions that have tokens. */
const domainOf = (title: string) =>
  ownLogDomain({
    ...{ catalog: tokenEvents, ownerId: FORGE_TOKEN_OWNER, title, phase: 'KEPT' },
    start: {},
    evolve: () => ({}),
  });

type Tokens = Pick<Engine<SessionState>, 'key' | 'storage' | 'clock' | 'random'>;
type Target = Pick<Link, 'role' | 'forge' | 'api' | 'repository'>;

const sign = ({ key }: Tokens, text: string): Buffer =>
  createHmac('sha256', key).update(`parley forge token ${text}`).digest();

const logOf = (tokens: Tokens, sessionId: string, role: Builder): string =>
  `${FORGE_TOKEN_LOG_PREFIX}${sign(tokens, `log ${sessionId} ${role}`).toString('hex').slice(0, 40)}`;

const keyOf = (tokens: Tokens, sessionId: string, target: Target): Buffer =>
  sign(tokens, `key ${sessionId} ${target.role} ${targetOf(target)}`);

/** Keeps a token in place of an earlier one of the same builder. */
async function keepToken(
  tokens: Tokens,
  sessionId: string,
  { token, ...target }: Target & { readonly token: string },
): Promise<void> {
  const { storage, clock, random } = tokens;
  const domain = domainOf(sessionId);
  const logId = logOf(tokens, sessionId, target.role);
  const data = { sealed: seal(keyOf(tokens, sessionId, target), random, token) };
  const drafts = [attributed({ kind: 'token.kept', data }, 'system', undefined)];
  const prepared = prepareEvents(domain, domain.empty(logId), drafts, clock.now());
  await storage.delete(logId);
  await createExactly({ storage, clock, domain }, prepared, null).catch(async (error: unknown) => {
    if ((await storage.events(logId, 1, 1)).length === 0) throw error;
    fail('CONFLICT', `The token was not stored: another call set that of ${target.role} at the same time.`);
  });
}

/** The token for a repository. Null if there is none, or if it was kept for another repository or with another secret. */
async function readToken(tokens: Tokens, sessionId: string, target: Target): Promise<string | null> {
  const [stored] = await tokens.storage.events(logOf(tokens, sessionId, target.role), 1, 1);
  if (!stored) return null;
  try {
    const { sealed } = tokenEvents['token.kept'].data.parse(readIntactEvent(stored).data);
    return unseal(keyOf(tokens, sessionId, target), sealed);
  } catch {
    return null;
  }
}

/** Erases the tokens of a session. @param roles default: of both builders */
export async function dropTokens(
  tokens: Tokens,
  sessionId: string,
  roles: readonly Builder[] = BUILDERS,
): Promise<void> {
  for (const role of roles) await tokens.storage.delete(logOf(tokens, sessionId, role));
}

/** The ids of the sessions that have tokens. A session with two tokens comes twice. */
async function* sessionsWithTokens(engine: Engine<SessionState>): AsyncGenerator<string> {
  for await (const { title } of sessionsOf({ engine, ownerId: FORGE_TOKEN_OWNER })) yield title;
}

/** What a forge answered to a commit status. */
export type StatusReport = z.output<typeof reportStatus.input>;

/** The calls with which a service posts commit statuses. They check no owner, so pass them only to the service itself. */
export interface StatusCalls {
  /** The ids of the sessions that have tokens for forges. */
  sessions(): AsyncIterable<string>;
  /** The statuses that the forges do not have yet. Erases the tokens of a session that is deleted, or ended with nothing due. */
  due(sessionId: string): Promise<readonly DueStatus[]>;
  /** The token with which to post a status. Null if there is none that this installation can read. */
  token(status: DueStatus): Promise<string | null>;
  report(sessionId: string, report: StatusReport): Promise<void>;
  /** Calls `listener` after each write of this process. Returns a function that removes it. */
  watch(listener: (sessionId: string, read: () => readonly DueStatus[]) => void): () => void;
}

export const statusCalls = (engine: Engine<SessionState>): StatusCalls => ({
  sessions: () => sessionsWithTokens(engine),
  due: (sessionId) => dueOrSettled(engine, sessionId),
  token: (status) => readToken(engine, status.session_id, status),
  async report(sessionId, report) {
    const { ownerId } = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
    await runOwn({ engine, ownerId, sessionId }, reportStatus, report);
  },
  watch(listener) {
    const onCommitted = ({ state }: Committed<SessionState>): void =>
      listener(state.sessionId, () => dueStatuses(state));
    engine.signals.on('committed', onCommitted);
    return () => engine.signals.off('committed', onCommitted);
  },
});

async function dueOrSettled(engine: Engine<SessionState>, sessionId: string): Promise<readonly DueStatus[]> {
  try {
    const state = await loadState(engine, { sessionId, absent: () => unknownSession(sessionId) });
    if (isSettled(state)) await dropTokens(engine, sessionId);
    return dueStatuses(state);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'UNKNOWN_RECORD') throw error;
    await dropTokens(engine, sessionId);
    return [];
  }
}

/** Keeps or erases the token that a call of the owner names, before the call is decided. */
export async function applyToken(own: OwnSession, { name }: Operation<SessionState>, input: unknown): Promise<void> {
  if (name === unlinkChange.name) {
    await judged(own, name);
    const { role } = unlinkChange.input.parse(input);
    await dropTokens(own.engine, own.sessionId, [role]);
  } else if (name === linkChange.name) {
    const { links } = await judged(own, name);
    const { token, ...given } = linkChange.input.parse(input);
    const target = targetIn(given);
    const { role } = target;
    const before = links[role];
    if (token !== undefined) await keepToken(own.engine, own.sessionId, { ...target, token });
    else if (before && targetOf(before) !== targetOf(target)) await dropTokens(own.engine, own.sessionId, [role]);
  }
}

async function judged(own: OwnSession, name: string): Promise<SessionState> {
  await judgedPerson(own, 'operator', name);
  return await ownState(own);
}

export type { TokenClaims } from '../areas/verify/given-evidence.ts';

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
