import { type Builder, isBuilder, ROLES, type Role } from '../../kernel/roles.ts';
import { openActionsOf } from '../actions/rules.ts';
import type { SessionState } from '../state.ts';
import { nextAgent } from '../turns/rules.ts';
import type { OwnerWait } from './owner-waits/owner-wait.ts';

/**
 * Time since which the first of the given roles could have acted. Null if no role is given.
 * - For the owner: the time since which its oldest blocking task waits.
 * - For an agent with an open action: the time of its oldest open action.
 * - For a builder without an open action whose turn is next: the time of the last turn.
 * - For any other agent: the time of the last event of another role.
 * For an agent, the time is not before the start of the session. A pause does not change the time.
 */
export function moverSince(state: SessionState, movers: readonly Role[], waits: readonly OwnerWait[]): string | null {
  const [first] = movers;
  if (first === undefined) return null;
  if (first === 'owner') return earliest(waits.flatMap(({ blocking, since }) => (blocking ? [since] : [])));
  const due = earliest(openActionsOf(state.actions, first).map(({ at }) => at));
  return latest([
    due ?? (isBuilder(first) ? turnAt(state, first) : null) ?? othersAt(state, first),
    state.times.startedAt,
  ]);
}

const turnAt = (state: SessionState, builder: Builder): string | null =>
  state.profile.phase === 'PLANNING' && nextAgent(state) === builder
    ? (state.times.turnAt ?? state.times.startedAt)
    : null;

const othersAt = ({ times }: SessionState, role: Role): string | null =>
  latest(ROLES.flatMap((other) => (other === role ? [] : (times.wroteAt[other] ?? []))));

const earliest = (times: readonly string[]): string | null => times.toSorted()[0] ?? null;
const latest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1) ?? null;
