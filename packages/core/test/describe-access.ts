import { test } from 'vitest';
import { given, type OperationName, type PastEvent } from '../src/testing/index.ts';
import { ended, paused } from './past.ts';

type Status = 'DRAFT' | 'ACTIVE' | 'PAUSED' | 'ENDED';

const STATUSES: readonly Status[] = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'];

function statusGiven(status: Status, past: readonly PastEvent[]) {
  if (status === 'DRAFT') return given(past, { isStarted: false });
  if (status === 'PAUSED') return given([...past, paused]);
  return given(status === 'ENDED' ? [...past, ended] : past);
}

/** A call of the owner that succeeds. */
interface OwnerFacts {
  readonly past?: readonly PastEvent[];
  readonly input?: Readonly<Record<string, unknown>>;
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

export const NOT_ENDED = ['DRAFT', 'ACTIVE', 'PAUSED'] as const;
