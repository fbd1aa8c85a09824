import { z } from 'zod';
import type { Presence } from '../../../kernel/last-calls.ts';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { documented } from '../../../kernel/operation/documented.ts';
import type { Role } from '../../../kernel/roles.ts';
import type { InboxPlace } from '../../../kernel/storage/stored-inbox.ts';
import { approvalNote, optionsOf } from '../../approvals/rules.ts';
import { AgentRole, At } from '../../fields.ts';
import { activeHolds } from '../../holds/rules.ts';
import { openQuestionsTo } from '../../questions/rules.ts';
import { reviewNote } from '../../recommendations/rules.ts';
import type { SessionState } from '../../state.ts';
import type { Instruction } from '../../task.ts';
import { isCertified, type StoppingTask, stoppingTasks } from '../../tasks/agent-tasks.ts';
import { callsDue } from '../../tasks/due.ts';
import { taskForOwner } from '../../tasks/task-text.ts';
import { absencesOf, absentFromMs, absentFromMsAtLeast } from './absence.ts';
import { type OwnerWait, revisionFacts, saidBy, waitOf } from './owner-wait.ts';
import { readinessWaits, releaseWaits } from './release-waits.ts';
import { answerWaits, disputeWaits, quotaWaits, refusalWaits, roundsWaits, startWait } from './waits.ts';

/**
 * All tasks that wait for the owner, the most urgent first. `text` contains codes and ids only; the words of an agent
 * are in `said`.
 * @param presence adds the tasks that depend on the time and on the last calls; without it, only tasks that the log
 * shows
 */
export function ownerWaits(state: SessionState, presence?: Presence): OwnerWait[] {
  const { first, last } = waitsToSettle(state);
  return [...first, ...absencesOf(state, presence).map(({ wait }) => wait), ...last];
}

/**
 * The tasks that the owner has to settle: all tasks except those about absent agents, which may come back by
 * themselves. In the list of all tasks, the tasks about absent agents come between `first` and `last`.
 */
function waitsToSettle(state: SessionState): { readonly first: OwnerWait[]; readonly last: OwnerWait[] } {
  const { status } = state.profile;
  if (status === 'ENDED') return { first: [], last: [] };
  if (status === 'DRAFT') return { first: [startWait(state)], last: [] };
  const quotas = quotaWaits(state);
  const urgent = [
    ...(status === 'PAUSED' ? [resumeWait(state)] : []),
    ...spokenWaits(state),
    ...quotas.filter(({ blocking }) => blocking),
    ...phaseWaits(state),
  ];
  const disputes = disputeWaits(state, urgent);
  const disputed = new Set(disputes.map(({ record }) => record.id));
  const answers = answerWaits(state).filter(({ record }) => !disputed.has(record.id));
  const first = [...urgent, ...disputes, ...answers];
  const standing = [...refusalWaits(state, first), ...standingHolds(state, first)];
  return { first, last: [...standing, ...quotas.filter(({ blocking }) => !blocking)] };
}

/**
 * The task for a session whose log cannot be folded.
 * @param createdAt time of creation of the session, from which the task waits, because the time of the damage is
 * unknown
 */
export const brokenLogWait = (sessionId: string, fault: string, createdAt: string): OwnerWait =>
  waitOf({
    kind: 'LOG_BROKEN',
    record: { type: 'session', id: sessionId },
    operation: 'verifyLog',
    text: `${fault} Verify and export the log; then restore it from a backup, or delete the session.`,
    since: createdAt,
  });

const sessionRecord = ({ sessionId }: SessionState) => ({ type: 'session', id: sessionId });

const resumeWait = (state: SessionState): OwnerWait =>
  waitOf({
    kind: 'RESUME',
    record: sessionRecord(state),
    operation: 'resume',
    text: 'The session is paused: resume it when the agents may continue.',
    since: state.times.statusAt,
  });

/**
 * The tasks for active holds that no other task names. The moderator normally releases its holds itself, but the owner
 * can release them too.
 */
function standingHolds({ holds }: SessionState, waits: readonly OwnerWait[]): OwnerWait[] {
  if (holds.active.length === 0) return [];
  const namedHolds = new Set(waits.flatMap(({ record }) => (record.type === 'hold' ? [record.id] : [])));
  return activeHolds(holds)
    .filter(({ hold_id }) => !namedHolds.has(hold_id))
    .map(({ hold_id: id, finding_id, opened_at: since, opened_by, reason }) =>
      waitOf(
        {
          kind: 'HOLD',
          record: { type: 'hold', id },
          operation: 'releaseHold',
          text: `Hold ${id} on ${finding_id} stops the approval and every authorization. It may stay: it ends when ${finding_id} is closed or when the moderator releases it. You can release it too.`,
          since,
        },
        { finding_id, payload: { hold_id: id }, blocking: false, ...saidBy(opened_by, reason) },
      ),
    );
}

function* spokenWaits({ questions, recommendations }: SessionState): Generator<OwnerWait> {
  for (const { question_id: id, from, blocking, asked_at, text } of openQuestionsTo(questions, 'owner'))
    yield waitOf(
      {
        kind: 'QUESTION',
        record: { type: 'question', id },
        operation: 'answerQuestion',
        text: `Answer question ${id}, which ${from} asked.`,
        since: asked_at,
      },
      { payload: { question_id: id }, blocking, ...saidBy(from, text) },
    );
  for (const id of recommendations.open) {
    const made = lookUp(recommendations.all, id);
    if (!made) continue;
    yield waitOf(
      {
        kind: 'RECOMMENDATION',
        record: { type: 'recommendation', id },
        operation: 'respondRecommendation',
        text: `Recommendation ${id} of the moderator waits for your answer.`,
        since: made.made_at,
      },
      {
        payload: { recommendation_id: id },
        blocking: false,
        ...saidBy('moderator', `${made.recommendation}: ${made.text ?? ''}`),
      },
    );
  }
}

function phaseWaits(state: SessionState): Iterable<OwnerWait> {
  switch (state.profile.phase) {
    case 'PLANNING':
      return roundsWaits(state);
    case 'CONTRACT':
      return contractWaits(state);
    case 'READINESS':
      return readinessWaits(state);
    default:
      return releaseWaits(state);
  }
}

function* contractWaits(state: SessionState): Generator<OwnerWait> {
  const { latest } = state.contract;
  if (latest && isCertified(state)) {
    const { revision_id, content_hash } = latest;
    const text = `${revision_id} (${revisionFacts(state, latest)}) is certified: read it, then approve exactly its hash or request changes.${reviewNote(state)}${approvalNote(state, 'approval')}`;
    const record = { type: 'revision', id: revision_id };
    const since = state.times.clearedAt;
    yield waitOf(
      { kind: 'APPROVAL', record, operation: 'approveContract', text, since },
      { payload: { revision_id, content_hash }, ...optionsOf(state, 'approval') },
    );
  }
  for (const task of stoppingTasks(state)) {
    // Unanswered questions to the owner are left out here, because `spokenWaits` lists them.
    if (task.due_to !== 'owner' || task.code === 'ANSWER_QUESTION') continue;
    const { tool: operation = 'view', payload = {}, stops } = task;
    const { record } = stops;
    const { since, ...said } = originOf(state, stops);
    yield waitOf(
      { kind: 'BLOCKER', record, operation, text: `${stops.code} on ${record.id}: ${stops.text}`, since },
      { payload, ...said },
    );
  }
}

/** The time since which the record of a blocker blocks, the words of the record's author, and the finding of a hold. */
function originOf(
  state: SessionState,
  { code, record }: StoppingTask['stops'],
): Pick<OwnerWait, 'since' | 'from' | 'said' | 'finding_id'> {
  const finding = lookUp(state.findings.all, record.id);
  if (finding)
    return { since: finding.response?.responded_at ?? finding.raised_at, ...saidBy(finding.raised_by, finding.text) };
  const hold = lookUp(state.holds.all, record.id);
  if (hold) return { since: hold.opened_at, finding_id: hold.finding_id, ...saidBy(hold.opened_by, hold.reason) };
  const review =
    code === 'MODERATOR_REVIEW_REQUESTS_CHANGES' &&
    lookUp(state.moderatorReviews, state.contract.latest?.revision_id ?? '');
  if (review) return { since: review.submitted_at, ...saidBy('moderator', review.summary) };
  return { since: state.times.clearedAt, from: null, said: null };
}

/** What an agent has to do next, in words for the owner. Lists of sessions also say since when. */
export const DutyView = z.strictObject({
  role: AgentRole,
  text: z.string(),
  since: At.optional(),
});
documented.add(DutyView, { id: 'Duty' });

/** The first tasks of the agents among the given roles, in the order of the roles. */
export const viewDuties = (state: SessionState, movers: readonly Role[]): z.output<typeof DutyView>[] =>
  movers.flatMap((role) => (role === 'owner' ? [] : [{ role, text: taskForOwner(state, callsDue(state, role)[0]) }]));

/**
 * The place of a session in its owner's inbox, from the log and the agents' last calls. Null if the session has ended.
 */
export const inboxPlaceOf = (state: SessionState, presence: Presence): InboxPlace | null =>
  placeOf(state, () => absentFromMs(state, presence));

/**
 * The place that an append stores. It is computed from the log alone, so an ACTIVE session without tasks gets the
 * earliest time that `inboxPlaceOf` can return.
 */
export const inboxPlaceByLog = (state: SessionState, silentAfterMs: number): InboxPlace | null =>
  placeOf(state, () => absentFromMsAtLeast(state, silentAfterMs));

function placeOf(state: SessionState, absentMs: () => number): InboxPlace | null {
  const { status } = state.profile;
  if (status === 'ENDED') return null;
  const { first, last } = waitsToSettle(state);
  const tasks = [...first, ...last];
  if (status !== 'ACTIVE') return { rank: 3, at: oldestOf(tasks), tasks: tasks.length };
  if (tasks.length === 0) return { rank: 4, at: new Date(absentMs()).toISOString(), tasks: 0 };
  const blocking = tasks.filter((task) => task.blocking);
  if (blocking.length > 0) return { rank: 1, at: oldestOf(blocking), tasks: tasks.length };
  return { rank: 2, at: oldestOf(tasks), tasks: tasks.length };
}

const oldestOf = (tasks: readonly OwnerWait[]): string => tasks.map(({ since }) => since).toSorted()[0] ?? '';

/** Kinds of tasks that the owner may leave as they are. */
const CAN_STAND: readonly OwnerWait['kind'][] = [
  'BLOCKER',
  'DISPUTE',
  'ANSWER',
  'HOLD',
  'QUOTA_LOW',
  'QUOTA_EXHAUSTED',
  'AGENT_ABSENT',
  'ROUNDS_USED',
];

/** The first task that the owner must do. Tasks of the kinds in `CAN_STAND` count only if they block. */
export function ownerStep(state: SessionState, presence?: Presence): z.output<typeof Instruction> {
  const first = ownerWaits(state, presence).find(({ kind, blocking }) => blocking || !CAN_STAND.includes(kind));
  return first
    ? { tool: first.operation, text: first.text }
    : { tool: null, text: 'Nothing waits for you. What each agent has to do is in duties.' };
}
