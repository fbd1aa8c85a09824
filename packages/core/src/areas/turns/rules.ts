import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';

/** The builder that posts the turn with this number. The builders alternate. */
export const speakerOf = ({ profile }: SessionState, turnIndex: number): Builder =>
  turnIndex % 2 === 0 ? profile.first_turn : otherBuilder(profile.first_turn);

export const roundOf = ({ profile }: SessionState, turnIndex: number): number =>
  Math.min(Math.floor(turnIndex / 2) + 1, profile.round_limit);

export const hasTurnsLeft = ({ profile, turns }: SessionState): boolean => turns.count < 2 * profile.round_limit;

/** The builder that can post a turn now. Null if the status, the phase or the limit of rounds allows no turn. */
export function nextAgent(state: SessionState): Builder | null {
  const { status, phase } = state.profile;
  const isOpen = status === 'ACTIVE' && (phase === 'PLANNING' || phase === 'CONTRACT');
  return isOpen && hasTurnsLeft(state) ? speakerOf(state, state.turns.count) : null;
}

export const hasConverged = ({ turns }: SessionState): boolean =>
  BUILDERS.every((builder) => turns.lastOf[builder]?.converged === true);
