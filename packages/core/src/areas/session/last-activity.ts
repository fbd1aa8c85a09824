import { valuesOf } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';

/**
 * Time of the last event other than pausing and resuming. If the last event of the session paused or resumed it, the
 * latest of these stored times: the creation and the start of the session, the last event of each role, the last turn,
 * and the last event that may have made the owner's next step possible.
 */
export function lastActivityAt(state: SessionState): string {
  const { at, times, profile } = state;
  if (!isPauseOrResume(state, at)) return at;
  const wrote = [wroteAt(state, 'agent_a'), wroteAt(state, 'agent_b'), wroteAt(state, 'moderator')];
  return latest(
    [...wrote, wroteAt(state, 'owner'), times.startedAt, times.turnAt, times.clearedAt].filter(isTime),
    profile.created_at,
  );
}

/**
 * Time of the last event of a role. If the owner's last event paused or resumed the session, the time of the owner's
 * last intervention or answer to a question.
 */
export function wroteAt(state: SessionState, role: Role): string | null {
  const time = state.times.wroteAt[role] ?? null;
  if (role !== 'owner' || !isPauseOrResume(state, time)) return time;
  const opened = valuesOf(state.interventions.all).flatMap(({ from, opened_at }) =>
    from === 'owner' ? [opened_at] : [],
  );
  const answered = valuesOf(state.questions.all).flatMap(({ to, answered_at }) =>
    to === 'owner' && answered_at !== null ? [answered_at] : [],
  );
  return latest([...opened, ...answered], '') || null;
}

const isTime = (time: string | null): time is string => time !== null;

const latest = (times: readonly string[], first: string): string => [first, ...times].toSorted().at(-1) ?? first;

/** Whether the event at this time, the last event of the owner or of the session, paused or resumed the session. */
function isPauseOrResume({ times, profile }: SessionState, at: string | null): boolean {
  const { status } = profile;
  return times.pausedAt !== null && (status === 'ACTIVE' || status === 'PAUSED') && at === times.statusAt;
}
