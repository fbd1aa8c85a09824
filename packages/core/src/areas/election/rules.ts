import { BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import type { SessionState } from '../state.ts';
import { type Election, type ElectionView, type Nomination, viewNomination } from './state.ts';

/**
 * The events that make `author` the Contract Author. In PLANNING they also start the phase CONTRACT; later they are empty if
 * this builder is the author already.
 */
export function electionDrafts({ election, profile }: SessionState, author: Builder): SessionDraft[] {
  const elected = {
    kind: 'author.elected' as const,
    data: { contract_author: author, technical_reviewer: otherBuilder(author) },
  };
  if (profile.phase !== 'PLANNING') return election.contract_author === author ? [] : [elected];
  return [elected, { kind: 'phase.changed', data: { from: 'PLANNING', to: 'CONTRACT' }, actor: 'system' }];
}

/** The events of a nomination. Empty if the builder has given the same one. The election follows once both name the same candidate. */
export function nominationDrafts(
  state: SessionState,
  role: Builder,
  { candidate, reason }: Pick<Nomination, 'candidate' | 'reason'>,
): SessionDraft[] {
  const { nominations } = state.election;
  const own = nominations[role];
  if (own?.candidate === candidate && own.reason === reason) return [];
  const elected = nominations[otherBuilder(role)]?.candidate === candidate ? electionDrafts(state, candidate) : [];
  return [
    { kind: 'author.nominated', data: { candidate, reason } },
    ...elected.map((draft) => ({ ...draft, actor: 'system' as const })),
  ];
}

/**
 * Why a builder may become the author by submitting the first revision: the owner chose it when it created the session
 * (`chosen`), or the other builder has nominated it (`nominated`). Undefined if it may not.
 */
export function claimOf({ election, profile }: SessionState, role: Role): 'chosen' | 'nominated' | undefined {
  if (profile.phase !== 'PLANNING' || !isBuilder(role)) return undefined;
  if (election.contract_author === role) return 'chosen';
  return election.nominations[otherBuilder(role)]?.candidate === role ? 'nominated' : undefined;
}

/** The events by which a builder that may become the author does so with its first revision. */
export const submissionDrafts = (state: SessionState, role: Builder): SessionDraft[] =>
  claimOf(state, role) === 'chosen'
    ? electionDrafts(state, role).map((draft) => ({ ...draft, actor: 'system' as const }))
    : nominationDrafts(state, role, { candidate: role, reason: 'Submits the first revision.' });

/**
 * If the builders have nominated different candidates: `follower` is the builder that nominated later, and `candidate`
 * is the candidate of the earlier nomination. The follower is asked to nominate that candidate too.
 */
export function followerInSplit({ nominations }: Election): { follower: Builder; candidate: Builder } | null {
  const { agent_a, agent_b } = nominations;
  if (!agent_a || !agent_b || agent_a.candidate === agent_b.candidate) return null;
  return agent_a.seq > agent_b.seq
    ? { follower: 'agent_a', candidate: agent_b.candidate }
    : { follower: 'agent_b', candidate: agent_a.candidate };
}

export const viewElection = ({ nominations, ...elected }: Election): ElectionView => ({
  nominations: BUILDERS.flatMap((builder) => nominations[builder] ?? []).map(viewNomination),
  ...elected,
});
