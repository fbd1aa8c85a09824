import { describe, test } from 'vitest';
import { type GivenOptions, given, type OperationName, type PastEvent } from '../src/testing/index.ts';
import { ended, inPhase, paused } from './past.ts';

type Phase = 'PLANNING' | 'CONTRACT' | 'READINESS' | 'VERIFY' | 'RELEASE';
type Status = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';
type Caller = 'agent_a' | 'agent_b' | 'moderator';

const PHASES: readonly Phase[] = ['PLANNING', 'CONTRACT', 'READINESS', 'VERIFY', 'RELEASE'];
const STATUSES: readonly Status[] = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'];

/** A call that succeeds. Each test removes a precondition of the call and expects a refusal. */
interface Passing {
  readonly past?: readonly PastEvent[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly caller?: Caller;
}

interface Call extends Passing {
  readonly name: OperationName;
}

function statusGiven(status: Status, past: readonly PastEvent[], options: GivenOptions = {}) {
  if (status === 'DRAFT') return given(past, { ...options, isStarted: false });
  if (status === 'PAUSED') return given([...past, paused], options);
  return given(status === 'ENDED' ? [...past, ended] : past, options);
}

const callOn = ({ name, input = {}, caller = 'agent_b' }: Call, session: ReturnType<typeof given>) =>
  session.when(name, input as never, caller);

/** An operation of agents: the scope that it requires, and whether the moderator may call it. */
interface AccessFacts extends Passing {
  readonly scope: NonNullable<GivenOptions['scopes']>[number];
  /** True if the moderator's call succeeds. An error code if the moderator may call the operation but this call is refused. */
  readonly moderator?: true | 'NOT_RAISER' | 'UNKNOWN_RECORD';
}

function describeAccess(name: OperationName, { scope, moderator, ...passing }: AccessFacts): void {
  const call: Call = { name, ...passing };
  describe('access', () => {
    test(moderator ? 'is open to the moderator' : 'is not for the moderator', () => {
      const outcome = callOn({ ...call, caller: 'moderator' }, given(call.past));
      if (moderator === true) outcome.reply();
      else outcome.thenFails(moderator ?? 'MODERATOR_FORBIDDEN');
    });

    test(`needs the scope ${scope} and no other`, () => {
      callOn(call, given(call.past, { scopes: [scope] })).reply();
      callOn(call, given(call.past, { scopes: ['ask_agent'] })).thenFails('INSUFFICIENT_SCOPE', {
        required_scope: scope,
      });
    });
  });
}

/** Tests of a read, which works in every status and phase. */
export function describeRead(name: OperationName, facts: AccessFacts): void {
  const call: Call = { name, ...facts };
  describeAccess(name, facts);
  describeReadable(call);
}

function describeReadable(call: Call): void {
  test.each(STATUSES)('works while the session is %s', (status) => {
    callOn(call, statusGiven(status, call.past ?? [])).thenEvents();
  });
  test.each(PHASES)('works in %s', (phase) => {
    callOn(call, given([...(call.past ?? []), inPhase(phase)])).thenEvents();
  });
}

interface Lifecycle {
  /** Phases in which the operation works. If absent, it works in all phases. */
  readonly phases?: readonly Phase[];
  /**
   * True if the operation works before the session is started and while it is paused. `PAUSED` if the operation works
   * only while the session is paused.
   */
  readonly worksWhilePaused?: true | 'PAUSED';
  readonly worksAfterEnd?: true;
}

interface WriteFacts extends AccessFacts, Lifecycle {}

/** Tests of a write: its roles, scope, statuses and phases. */
export function describeWrite(name: OperationName, facts: WriteFacts): void {
  describeAccess(name, facts);
  describeLifecycle({ name, ...facts }, facts);
}

function describeLifecycle(call: Call, { phases = PHASES, worksWhilePaused, worksAfterEnd }: Lifecycle): void {
  const past = call.past ?? [];
  const closed = PHASES.filter((phase) => !phases.includes(phase));

  test.each(phases)('works in %s', (phase) => {
    callOn(call, given([...past, inPhase(phase)])).reply();
  });

  if (closed.length > 0)
    test.each(closed)('is refused in %s', (phase) => {
      callOn(call, given([...past, inPhase(phase)])).thenFails('WRONG_PHASE', { phase, allowed_phases: phases });
    });

  for (const status of ['DRAFT', 'PAUSED'] as const) {
    const works = worksWhilePaused === true || worksWhilePaused === status;
    test(`${works ? 'works' : 'is refused'} while the session is ${status}`, () => {
      const outcome = callOn(call, statusGiven(status, past));
      if (works) outcome.reply();
      else outcome.thenFails('SESSION_NOT_ACTIVE', { status });
    });
  }

  test(worksAfterEnd ? 'works once the session has ended' : 'is refused once the session has ended', () => {
    const outcome = callOn(call, statusGiven('ENDED', past));
    if (worksAfterEnd) outcome.reply();
    else outcome.thenFails('SESSION_ENDED', { status: 'ENDED' });
  });
}

interface ModeratorFacts extends Omit<Passing, 'caller'> {
  /** The permission that the moderator needs. Absent if it needs none. */
  readonly permission?: Permission;
  /**
   * The error code that a builder gets. It is not BUILDER_FORBIDDEN if builders may call the operation but this call is refused.
   */
  readonly builders?: 'BUILDER_FORBIDDEN' | 'NOT_RAISER' | 'UNKNOWN_RECORD';
}

type Permission = NonNullable<GivenOptions['permissions']>[number];
const PERMISSIONS: readonly Permission[] = ['ask', 'find', 'hold', 'review', 'recommend'];

function describeModeratorAccess(name: OperationName, facts: ModeratorFacts): void {
  const { permission, builders = 'BUILDER_FORBIDDEN', ...passing } = facts;
  const call: Call = { name, ...passing, caller: 'moderator' };
  describe('access of the moderator', () => {
    test.each(['agent_a', 'agent_b'] as const)(`is answered with ${builders} to %s`, (caller) => {
      callOn({ ...call, caller }, given(call.past)).thenFails(builders);
    });

    test(permission ? `needs the permission ${permission} and no other` : 'needs no permission', () => {
      callOn(call, given(call.past, { permissions: permission ? [permission] : [] })).reply();
      if (permission === undefined) return;
      const permissions = PERMISSIONS.filter((other) => other !== permission);
      callOn(call, given(call.past, { permissions })).thenFails('PERMISSION_DENIED', {
        required_permission: permission,
      });
    });
  });
}

/** Tests of a moderator's read, which works in every status and phase and stores nothing. */
export function describeModeratorRead(name: OperationName, facts: ModeratorFacts = {}): void {
  describeModeratorAccess(name, facts);
  describeReadable({ name, ...facts, caller: 'moderator' });
}

interface ModeratorWriteFacts extends ModeratorFacts, Lifecycle {}

/** Tests of a moderator's write: its permission, statuses and phases. */
export function describeModeratorWrite(name: OperationName, facts: ModeratorWriteFacts): void {
  describeModeratorAccess(name, facts);
  describeLifecycle({ name, ...facts, caller: 'moderator' }, facts);
}

interface OwnerFacts extends Omit<Passing, 'caller'> {
  readonly statuses: readonly Status[];
}

/** Tests of an owner's operation: the statuses in which it works, and that no agent's token can call it. */
export function describeOwner(name: OperationName, { input = {}, past = [], statuses }: OwnerFacts): void {
  const closed = STATUSES.filter((status) => !statuses.includes(status));

  test.each(statuses)('works while the session is %s', (status) => {
    statusGiven(status, past)
      .when(name, input as never, 'owner')
      .reply();
  });

  if (closed.length > 0)
    test.each(closed)('is refused while the session is %s', (status) => {
      statusGiven(status, past)
        .when(name, input as never, 'owner')
        .thenFails('INVALID_TRANSITION', { status, allowed_statuses: statuses });
    });

  test.each(['agent_a', 'agent_b', 'moderator'] as const)('cannot be called by %s', (role) => {
    given(past)
      .when(name, input as never, role)
      .thenFails('NOT_FOUND');
  });
}

export const PLANNING_AND_CONTRACT = ['PLANNING', 'CONTRACT'] as const;
export const NOT_ENDED = ['DRAFT', 'ACTIVE', 'PAUSED'] as const;
