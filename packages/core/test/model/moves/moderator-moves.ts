import { ALL_PERMISSIONS } from '../moderation.ts';
import { by } from '../starting-states.ts';
import {
  actionIds,
  activeHolds,
  findingIds,
  holdIds,
  idOf,
  interventionIds,
  latestOf,
  type Move,
  NO_HASH,
  on,
  openFindings,
  pick,
  targets,
} from './picks.ts';
import { MODERATOR_TOOLS } from './refusals.ts';

/** Raises a finding. Some calls are wrong: they request a hold without a reason, or give a reason without a request. */
const raise: Move = (_now, _who, n) => {
  const hold = n % 3 === 0 ? { request_hold: true, hold_reason: 'Not yet.' } : {};
  const half = n % 2 === 0 ? { request_hold: true } : { hold_reason: 'Not yet.' };
  return by('moderator', 'submit_moderator_finding', {
    category: pick(['SAFETY', 'SCOPE'], n),
    text: 'Nothing undoes it.',
    resolution_criteria: 'A way back.',
    ...(n % 4 === 3 ? { blocking: false } : {}),
    ...(n % 5 === 0 ? {} : { target_agents: targets(n) }),
    ...(n % 13 === 12 ? half : hold),
  });
};

const judge: Move = (now, _who, n) =>
  by('moderator', 'submit_contract_review', {
    revision_id: n % 7 === 6 ? pick(['r_1', 'r_99'], n) : (latestOf(now)?.revision_id ?? 'r_1'),
    content_hash: n % 9 === 8 ? NO_HASH : (latestOf(now)?.content_hash ?? NO_HASH),
    verdict: pick(['APPROVE', 'REQUEST_CHANGES', 'REQUEST_CHANGES', 'COMMENT'], n),
    summary: n % 5 === 4 ? 'Read again.' : 'Read.',
    dimensions: [],
  });

/** Acknowledges the events up to a cursor, which may be below the cursor acknowledged before, or above the head. */
const acknowledge: Move = (now, _who, n) => {
  const { acked_cursor } = now.view().moderator;
  const moderator = now.moderator();
  const head = moderator.refused === null ? moderator.page.head : acked_cursor;
  const cursor = pick([head, head + 1, Math.max(0, acked_cursor - 1), 0, Math.floor((acked_cursor + head) / 2)], n);
  return by('moderator', 'ack_events', { cursor });
};

export const MODERATION: readonly Move[] = [
  (_now, _who, n) =>
    by('moderator', 'ask_agent', {
      text: 'Who undoes it?',
      blocking: n % 2 === 0,
      ...(n % 3 === 0 ? {} : { targets: targets(n) }),
      ...(n % 5 === 4 ? { related_revision_id: pick(['r_1', 'r_99'], n) } : {}),
    }),
  (now, _who, n) => on('moderator', 'withdraw_question', { intervention_id: idOf(interventionIds(now), n, 'i_99') }),
  raise,
  raise,
  (now, _who, n) =>
    on('moderator', 'resolve_finding', {
      finding_id: idOf(n % 4 === 3 ? findingIds(now) : openFindings(now), n, 'f_99'),
      outcome: n % 2 === 0 ? 'RESOLVED' : 'WITHDRAWN',
    }),
  (now, _who, n) =>
    on('moderator', 'request_hold', {
      finding_id: idOf(n % 5 === 4 ? findingIds(now) : openFindings(now), n, 'f_99'),
      reason: n % 3 === 0 ? 'Still not.' : 'Not yet.',
    }),
  (now, _who, n) =>
    on('moderator', 'release_hold', { hold_id: idOf(n % 4 === 3 ? holdIds(now) : activeHolds(now), n, 'h_99') }),
  judge,
  judge,
  (_now, _who, n) =>
    by('moderator', 'recommend_to_owner', { recommendation: pick(['PAUSE', 'PROCEED'], n), text: 'Look again.' }),
  acknowledge,
  acknowledge,
  (now, who, n) =>
    on('moderator', 'complete_action', {
      action_id: idOf(n % 5 === 4 ? actionIds(now, who) : actionIds(now, 'moderator'), n, 'act_99'),
    }),
  (_now, _who, n) => {
    const reads = ['get_moderator_status', 'get_session_events', 'get_moderator_questions', 'get_moderator_findings'];
    return by('moderator', pick([...reads, 'get_contract_review', 'read_messages', 'read_task'], n) ?? '');
  },
  (_now, who, n) => by(who, pick(Object.keys(MODERATOR_TOOLS), n) ?? '', {}),
];

const recommendationIds = (now: Parameters<Move>[0]): string[] =>
  now.view().recommendations.map(({ recommendation_id }) => recommendation_id);

/** Calls of the owner about the moderator. */
export const OVERSIGHT: readonly Move[] = [
  () => by('owner', 'stopModerator'),
  () => by('owner', 'restoreModerator'),
  (_now, _who, n) => by('owner', 'setEntitlement', { entitled: n % 2 === 0 }),
  (_now, _who, n) =>
    by('owner', 'grantModerator', { permissions: ALL_PERMISSIONS.filter((_one, index) => (n >> index) % 2 === 0) }),
  () => by('owner', 'grantModerator', { permissions: [...ALL_PERMISSIONS] }),
  (now, _who, n) =>
    on('owner', 'releaseHold', {
      hold_id: idOf(n % 4 === 3 ? holdIds(now) : activeHolds(now), n, 'h_99'),
      reason: 'It may go on.',
    }),
  () => by('owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }),
  (now, _who, n) =>
    on('owner', 'overrideFinding', {
      finding_id: idOf(n % 4 === 3 ? findingIds(now) : openFindings(now), n, 'f_99'),
      reason: 'Minor.',
    }),
  (now, _who, n) =>
    on('owner', 'respondRecommendation', {
      recommendation_id: idOf(recommendationIds(now), n, 'rec_99'),
      decision: n % 2 === 0 ? 'ACCEPT' : 'REJECT',
    }),
  () => by('owner', 'assignAction', { target: 'moderator', text: 'Read the log.' }),
  (_now, _who, n) => (n % 5 === 0 ? by('owner', 'revoke', { role: 'moderator' }) : null),
];
