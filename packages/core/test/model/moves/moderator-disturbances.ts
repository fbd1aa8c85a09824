import type { Seen } from '../seen.ts';
import { by } from '../starting-states.ts';
import type { Call } from '../world.ts';
import type { Disturbance } from './disturbances.ts';

/** Whether the session is ACTIVE and in this phase, and the moderator has access and all five permissions. */
function isIn(now: Seen, phase: string): boolean {
  const { active, permissions } = now.view().moderator;
  return now.session().phase === phase && now.session().status === 'ACTIVE' && active && permissions.length === 5;
}
const latest = (now: Seen) => now.session().latest_revision;
const isUnderReview = (now: Seen): boolean => isIn(now, 'CONTRACT') && latest(now)?.status === 'IN_REVIEW';
const isCertified = (now: Seen): boolean => isIn(now, 'CONTRACT') && latest(now)?.status === 'CERTIFIED';

const when =
  (isMoment: (now: Seen) => boolean, ...calls: readonly ((now: Seen) => Call)[]): Disturbance =>
  (now) =>
    isMoment(now) ? calls.map((call) => call(now)) : null;

const ask = () => by('moderator', 'ask_agent', { text: 'Who undoes it?', blocking: true });
const find = (members: object = {}) =>
  by('moderator', 'submit_moderator_finding', {
    category: 'SAFETY',
    text: 'Nothing undoes a failed release.',
    resolution_criteria: 'A rollback that was tried.',
    ...members,
  });
const findAndHold = () => find({ request_hold: true, hold_reason: 'Not without a rollback.' });
const hold = (finding_id: string | undefined) => by('moderator', 'request_hold', { finding_id, reason: 'Not yet.' });
const object = (now: Seen) =>
  by('moderator', 'submit_contract_review', {
    revision_id: latest(now)?.revision_id,
    content_hash: latest(now)?.content_hash,
    verdict: 'REQUEST_CHANGES',
    summary: 'Name the rollback.',
    dimensions: [],
  });
const recommend = () => by('moderator', 'recommend_to_owner', { recommendation: 'PAUSE', text: 'Look again.' });
const stop = () => by('owner', 'stopModerator');
const restore = () => by('owner', 'restoreModerator');
const entitle = (entitled: boolean) => () => by('owner', 'setEntitlement', { entitled });
const grant =
  (...permissions: readonly string[]) =>
  () =>
    by('owner', 'grantModerator', { permissions });
const reviewer = (now: Seen) => now.session().technical_reviewer ?? 'agent_b';
const minor = (now: Seen) => by(reviewer(now), 'submit_finding', { text: 'A word is odd.', blocking: false });
const minorOpen = (now: Seen) =>
  now.findings().find(({ raised_by, status, blocking }) => raised_by !== 'moderator' && status === 'OPEN' && !blocking);
/**
 * The Contract Author answers a finding that blocks nothing. While the author has to remove a blocker, no instruction
 * names this answer.
 */
const answer = (now: Seen) =>
  by(now.session().contract_author ?? 'agent_a', 'respond_finding', {
    finding_id: minorOpen(now)?.finding_id,
    decision: 'REJECT',
    response: 'The word is right.',
  });
const answeredIn = (now: Seen) =>
  now.findings().find(({ raised_by, status }) => raised_by !== 'moderator' && status === 'RESPONDED');

const tick: Disturbance = (now) => {
  const due = now
    .view()
    .actions.filter(({ due_to, status, tool }) => due_to === 'moderator' && status === 'PENDING' && tool !== undefined);
  const calls = due.map(({ action_id }) => by('moderator', 'complete_action', { action_id }));
  return isUnderReview(now) && calls.length > 0 ? calls : null;
};

/** Disturbances by the moderator, and by the owner about the moderator. Each disturbance is made once. */
export const MODERATOR_DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'the moderator asks while they plan': when((now) => isIn(now, 'PLANNING') && now.session().turn_index === 1, ask),
  'the moderator asks under review': when(isUnderReview, ask),
  'the moderator finds something before there is an author': when(
    (now) => isIn(now, 'PLANNING') && now.session().turn_index > 0,
    findAndHold,
  ),
  'the moderator finds something under review': when(
    isUnderReview,
    () => find(),
    () => find({ blocking: false }),
  ),
  'the moderator holds under review': when(isUnderReview, findAndHold),
  'the moderator holds a certified contract': when(isCertified, findAndHold),
  'the moderator holds what blocks nothing': when(
    isCertified,
    () => find({ blocking: false }),
    (now) => hold(`f_${now.findings().length + 1}`),
  ),
  'the moderator holds after the approval': when((now) => isIn(now, 'READINESS'), findAndHold),
  'the moderator asks for changes under review': when(isUnderReview, object),
  'the moderator asks for changes of a certified contract': when(isCertified, object),
  'the moderator asks for changes and is overridden': when(isCertified, object, () =>
    by('owner', 'overrideReview', { role: 'moderator', reason: 'Known.' }),
  ),
  'the moderator recommends': when(isUnderReview, recommend),
  'the moderator ticks its review off': tick,
  'the owner stops a moderator that holds': when(isUnderReview, findAndHold, stop),
  'the owner stops a moderator that asks for changes': when(isCertified, object, stop),
  'the owner has no moderators any more, with a hold on a certified contract': when(
    isCertified,
    findAndHold,
    entitle(false),
  ),
  'the owner has moderators again at once': when(isUnderReview, findAndHold, entitle(false), entitle(true)),
  'the owner stops the moderator and restores it at once': when(isCertified, object, findAndHold, stop, restore),
  'the moderator may not review any more': when(isUnderReview, grant('ask', 'find', 'hold', 'recommend')),
  'the moderator may nothing any more, with a hold': when(isUnderReview, findAndHold, grant()),
  'the access of a moderator that holds is revoked': when(isCertified, findAndHold, () =>
    by('owner', 'revoke', { role: 'moderator' }),
  ),
};

const isStopped = (now: Seen): boolean => now.view().moderator.stopped && now.session().status === 'ACTIVE';

/** Disturbances that are possible only after another disturbance. */
export const FOLLOW_UPS: Readonly<Record<string, Disturbance>> = {
  'a finding that blocks nothing': when(isUnderReview, minor),
  'the author answers it': when((now) => isIn(now, 'CONTRACT') && minorOpen(now) !== undefined, answer),
  'the moderator holds what a builder answered': when(
    (now) => isIn(now, 'CONTRACT') && answeredIn(now) !== undefined,
    (now) => hold(answeredIn(now)?.finding_id),
  ),
  'the owner restores the moderator under review': when(
    (now) => isStopped(now) && latest(now)?.status === 'IN_REVIEW',
    restore,
  ),
  'the owner restores the moderator once it is certified': when(
    (now) => isStopped(now) && latest(now)?.status === 'CERTIFIED',
    restore,
  ),
  'the owner restores the moderator after the approval': when(
    (now) => isStopped(now) && now.session().phase === 'READINESS',
    restore,
  ),
};

/** Groups of disturbances that a run makes together, in this order. */
export const TOGETHER: readonly (readonly string[])[] = [
  ['a finding that blocks nothing', 'the author answers it', 'the moderator holds what a builder answered'],
  ['the owner stops a moderator that holds', 'the owner restores the moderator under review'],
  ['the owner stops a moderator that asks for changes', 'the owner restores the moderator once it is certified'],
  ['the owner stops a moderator that asks for changes', 'the owner restores the moderator after the approval'],
];
