import { countedWaits, whoseMove } from '../../../src/text/inbox.ts';
import type { Glance } from '../api/types.ts';

/** A role that must act next, and since when. `since` is undefined if the service does not say it. */
export interface MoverTime {
  readonly role: string;
  readonly since: string | undefined;
}

/**
 * The roles that must act next in a session, each with its time. The session's own `since` is the time of the first role
 * in `movers`.
 */
export const moverTimes = (session: Glance): MoverTime[] =>
  whoseMove(session).map((role) => ({
    role,
    since: role === 'owner' ? ownerSince(session) : agentSince(session, role),
  }));

function ownerSince(session: Glance): string | undefined {
  const [first] = session.movers;
  if (first === 'owner' && session.since !== null) return session.since;
  return earliest(countedWaits(session).map(({ since }) => since));
}

function agentSince({ duties, movers, since }: Glance, role: string): string | undefined {
  const own = duties?.find((duty) => duty.role === role)?.since;
  return own ?? (movers[0] === role && since !== null ? since : undefined);
}

/** Time since which the session waits for the role that has been able to act longest. Undefined if no role must act. */
export const longestWait = (session: Glance): string | undefined =>
  earliest(moverTimes(session).flatMap(({ since }) => since ?? []));

const earliest = (times: readonly string[]): string | undefined => times.toSorted()[0];
