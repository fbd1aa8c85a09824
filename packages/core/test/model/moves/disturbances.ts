import { VARIANTS } from '../contracts.ts';
import { BUILDERS, type Builder, type Seen } from '../seen.ts';
import { by } from '../starting-states.ts';
import type { Call } from '../world.ts';
import { resolvedIn } from './fill.ts';
import { FOLLOW_UPS, MODERATOR_DISTURBANCES } from './moderator-disturbances.ts';

/** Returns calls that no instruction names, or null while they are not possible. Each disturbance is made once per run. */
export type Disturbance = (now: Seen) => readonly Call[] | null;

const stateOf = (now: Seen) => now.session();
/** The builder that is told to write the first revision, which makes it the author if nobody is yet. */
const writerOf = (now: Seen): Builder | undefined =>
  BUILDERS.find((role) => !latest(now) && now.state(role).instruction.tool === 'submit_contract');
const reviewerOf = (now: Seen): Builder => stateOf(now).technical_reviewer ?? 'agent_b';
const isIn = (now: Seen, phase: string): boolean => stateOf(now).phase === phase && stateOf(now).status === 'ACTIVE';
const latest = (now: Seen) => stateOf(now).latest_revision;
const isUnderReview = (now: Seen): boolean => isIn(now, 'CONTRACT') && latest(now)?.status === 'IN_REVIEW';
const isCertified = (now: Seen): boolean => isIn(now, 'CONTRACT') && latest(now)?.status === 'CERTIFIED';
const isBeforeFirst = (now: Seen): boolean => writerOf(now) !== undefined;
const both = ['agent_a', 'agent_b'];

const firstRevision =
  (variant: 'broken' | 'wrong'): Disturbance =>
  (now) => {
    const writer = writerOf(now);
    const contract = VARIANTS[variant](resolvedIn(now));
    return writer ? [by(writer, 'submit_contract', { contract, expected_parent_id: '', reason: 'In haste.' })] : null;
  };

const when =
  (isMoment: (now: Seen) => boolean, calls: (now: Seen) => readonly Call[]): Disturbance =>
  (now) =>
    isMoment(now) ? calls(now) : null;

const sendBack = () => [by('owner', 'requestChanges', { reason: 'Name the error.' })];
const ask = () => [by('owner', 'ask', { targets: both, text: 'Who owns the schema?', blocking: true })];
const direct = () => [by('owner', 'direct', { targets: both, text: 'Keep the API.' })];
const pause = () => [by('owner', 'pause', { reason: 'Lunch.' })];
const otherAuthor = (now: Seen) => [by('owner', 'appointAuthor', { candidate: reviewerOf(now) })];
const find = (now: Seen) => [
  by(reviewerOf(now), 'submit_finding', { text: 'An error is missing.' }),
  by(reviewerOf(now), 'submit_finding', { text: 'A word is odd.', blocking: false }),
];
const tick = (now: Seen) =>
  (['agent_a', 'agent_b'] as const).flatMap((role) =>
    now.state(role).pending_actions.map(({ action_id }) => by(role, 'complete_action', { action_id })),
  );

export const OF_BUILDERS: Readonly<Record<string, Disturbance>> = {
  'the owner asks while they plan': when((now) => isIn(now, 'PLANNING') && stateOf(now).turn_index === 1, ask),
  'the owner directs before the first revision': when(isBeforeFirst, direct),
  'the owner directs a certified contract': when(isCertified, direct),
  'the owner asks after the approval': when((now) => isIn(now, 'READINESS'), ask),
  'the owner pauses while they plan': when((now) => isIn(now, 'PLANNING') && stateOf(now).turn_index > 0, pause),
  'the owner pauses a review': when(isUnderReview, pause),
  'the owner pauses after the approval': when((now) => isIn(now, 'READINESS'), pause),
  'the owner sends a certified contract back': when(isCertified, sendBack),
  'the owner sends a contract under review back': when(isUnderReview, sendBack),
  'the owner sends an approved contract back': when((now) => isIn(now, 'READINESS'), sendBack),
  'the owner sends it back when both are ready': when(
    (now) => isIn(now, 'READINESS') && now.view().state.instruction.tool === 'authorize',
    sendBack,
  ),
  'the owner appoints the author': when(
    (now) => isIn(now, 'PLANNING') && stateOf(now).turn_index > 0,
    () => [by('owner', 'appointAuthor', { candidate: 'agent_b' })],
  ),
  'another author before the first revision': when(isBeforeFirst, otherAuthor),
  'another author under review': when(isUnderReview, otherAuthor),
  'findings under review': when(isUnderReview, find),
  'findings, and then another author': when(isUnderReview, (now) => [...find(now), ...otherAuthor(now)]),
  'findings on a certified contract': when(isCertified, find),
  'findings after the approval': when((now) => isIn(now, 'READINESS'), find),
  'a review asks for changes': when(isUnderReview, (now) => [
    by(reviewerOf(now), 'submit_final_review', {
      revision_id: latest(now)?.revision_id,
      content_hash: latest(now)?.content_hash,
      verdict: 'REQUEST_CHANGES',
      caveats: ['Name the error.'],
    }),
  ]),
  'a decision is withdrawn late': when(
    (now) => isCertified(now) && resolvedIn(now).length > 0,
    (now) => {
      const decision = now.view().decisions.find(({ status }) => status === 'RESOLVED');
      const input = { decision_id: decision?.decision_id, reason: 'Outdated.' };
      return decision ? [by(decision.proposed_by, 'withdraw_decision', input)] : [];
    },
  ),
  'a decision changes late': when(isCertified, () => [
    by('agent_b', 'submit_decision', { topic: 'Store', position: 'SQLite' }),
  ]),
  'the first revision breaks the schema': firstRevision('broken'),
  'the first revision breaks two rules': firstRevision('wrong'),
  'a builder reports BLOCKED': when(
    (now) => isIn(now, 'READINESS'),
    (now) => {
      const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } =
        now.readiness('agent_a');
      const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
      const verdict = { verdict: 'BLOCKED', answers: [], blockers: ['No access to the repository.'] };
      return [by('agent_a', 'submit_readiness', { ...named, ...verdict })];
    },
  ),
  'actions are ticked off under review': when(isUnderReview, tick),
  'actions are ticked off after the approval': when((now) => isIn(now, 'READINESS'), tick),
  'the owner gives a task': when(isUnderReview, () => [
    by('owner', 'assignAction', { target: 'agent_a', text: 'Write the changelog.' }),
  ]),
  'the nominations differ': when(
    (now) => isIn(now, 'PLANNING') && stateOf(now).turn_index > 0,
    () => [
      by('agent_a', 'elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' }),
      by('agent_b', 'elect_contract_author', { candidate: 'agent_b', reason: 'Knows it.' }),
    ],
  ),
};

export const DISTURBANCES: Readonly<Record<string, Disturbance>> = { ...OF_BUILDERS, ...MODERATOR_DISTURBANCES };
export const ALL_DISTURBANCES: Readonly<Record<string, Disturbance>> = { ...DISTURBANCES, ...FOLLOW_UPS };
