import { MAX_ROUNDS } from '../../../kernel/limits.ts';
import { BUILDERS } from '../../../kernel/roles.ts';
import type { SessionState } from '../../state.ts';
import { isWaiting } from '../../task.ts';
import { nextTask } from '../../tasks/due.ts';
import { hasTurnsLeft } from '../../turns/rules.ts';
import { type OwnerWait, waitOf } from './owner-wait.ts';

/** Number of rounds that the owner's task proposes to add. */
const ADDED = 5;

/**
 * The task to add rounds, if no turns are left in PLANNING. It blocks only if no builder has a step, because builders
 * can accept decisions and elect an author without turns. During a pause, the task blocks if no
 * builder will have a step after the pause.
 */
export function* roundsWaits(state: SessionState): Generator<OwnerWait> {
  const { sessionId: id, profile, times } = state;
  if (hasTurnsLeft(state)) return;
  const record = { type: 'session', id };
  const running: SessionState = { ...state, profile: { ...profile, status: 'ACTIVE' } };
  const blocking = BUILDERS.every((builder) => isWaiting(nextTask(running, builder)));
  const since = times.turnAt ?? times.startedAt ?? times.statusAt;
  const ended = profile.round_limit === 1 ? 'The only round is used' : `All ${profile.round_limit} rounds are used`;
  const used = `${ended}, and no Contract Author is elected`;
  const rounds = Math.min(ADDED, MAX_ROUNDS - profile.round_limit);
  if (rounds > 0) {
    const text = `${used}: add rounds, appoint the author, or let the agents elect one.`;
    yield waitOf(
      { kind: 'ROUNDS_USED', record, operation: 'extendRounds', text, since },
      { payload: { rounds }, blocking },
    );
  } else {
    const text = `${used}: appoint the author, or let the agents elect one.`;
    const payload = { candidate: profile.first_turn };
    yield waitOf({ kind: 'ROUNDS_USED', record, operation: 'appointAuthor', text, since }, { payload, blocking });
  }
}
