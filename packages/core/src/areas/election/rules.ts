import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import type { SessionDraft } from '../catalog.ts';
import type { SessionState } from '../state.ts';
import { type Election, type ElectionView, type Nomination, viewNomination } from './state.ts';

/**
 * The events that make `author` the Contract Author. Empty if this builder is the author already. The first election
 * also starts the phase CONTRACT.
 */
export function electionDrafts({ election, profile }: SessionState, author: Builder): SessionDraft[] {
  if (election.contract_author === author) return [];
  const elected = {
    kind: 'author.elected' as const,
    data: { contract_author: author, technical_reviewer: otherBuilder(author) },
  };
  if (profile.phase !== 'PLANNING') return [elected];
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
