import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { SessionState } from '../state.ts';

/**
 * Time of the last event other than pausing and resuming. If the last event of the session paused or resumed it, the
 * time is the latest one that the state has kept: of the agents' last events, the start, the last turn, the last step
 * that may have made the owner's next step possible, and the last intervention that is not settled.
 */
export function lastActivityAt(state: SessionState): string {
  const { at, times, profile, interventions } = state;
  if (!isPauseOrResume(state, at)) return at;
  const { owner: _, ...agents } = times.wroteAt;
  const intervention = lookUp(interventions.all, interventions.standing.at(-1) ?? '');
  return [...Object.values(agents), times.startedAt, times.turnAt, times.clearedAt, intervention?.at].reduce<string>(
    (latest, time) => (time && time > latest ? time : latest),
    profile.createdAt,
  );
}

/**
 * Whether an event of the owner at this time paused or resumed the session. Only for the time of the owner's or the
 * session's last event.
 */
export function isPauseOrResume({ times, profile }: SessionState, at: string | undefined): boolean {
  const { status } = profile;
  return times.pausedAt !== null && (status === 'ACTIVE' || status === 'PAUSED') && at === times.statusAt;
}
