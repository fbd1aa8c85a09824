import { z } from 'zod';
import { lookUp } from '../../../kernel/log/persistent-collections.ts';
import { namedObject } from '../../../kernel/operation/json-schema.ts';
import { BUILDERS, type Presence, type Role } from '../../../kernel/roles.ts';
import type { InboxPlace } from '../../../kernel/storage/storage.ts';
import { reportNote } from '../../actions/rules.ts';
import { approvalNote, optionsOf } from '../../approvals/rules.ts';
import type { DecidedStep } from '../../approvals/state.ts';
import { AgentRole, At } from '../../fields.ts';
import { activeHolds, openBlockingFindings } from '../../findings/rules.ts';
import type { Hold } from '../../findings/state.ts';
import { adviceNote, reviewNote } from '../../interventions/rules.ts';
import { named } from '../../listing.ts';
import { isBuildReady } from '../../manifest/readiness.ts';
import { openQuestionsTo } from '../../planning/rules.ts';
import { termsOf } from '../../profiles.ts';
import type { SessionState } from '../../state.ts';
import type { Instruction } from '../../task.ts';
import { isCertified, type StoppingTask, stoppingTasks } from '../../tasks/agent-tasks.ts';
import { callsDue, tasksDue } from '../../tasks/due.ts';
import { taskForOwner } from '../../tasks/task-text.ts';
import { carriedPasses, certificationOf, deviatingPasses, missingGates } from '../../verify/certification.ts';
import { scenariosOf } from '../../verify/scenarios.ts';
import { absencesOf, absentFromMs, absentFromMsAtLeast } from './absence.ts';
import { WAIT_FACTS } from './wait-kinds.ts';
import {
  answerWaits,
  carryWaits,
  disputeWaits,
  metRefusals,
  type OwnerWait,
  quotaWaits,
  refusalWaits,
  revisionFacts,
  roundsWaits,
  saidBy,
  saidByBoth,
  startWait,
  waitOf,
} from './waits.ts';

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
    .map((hold) => {
      const { hold_id: id, finding_id } = hold;
      const text = `Hold ${id} on ${finding_id} stops the approval and every authorization. It may stay: it ends when ${finding_id} is closed or when the moderator releases it. You can release it too.`;
      return { ...holdWait(hold, text), blocking: false };
    });
}

const holdWait = ({ hold_id: id, finding_id, opened_at: since, opened_by, reason }: Hold, text: string): OwnerWait =>
  waitOf(
    { kind: 'HOLD', record: { type: 'hold', id }, operation: 'releaseHold', text, since },
    { finding_id, payload: { hold_id: id }, ...saidBy(opened_by, reason) },
  );

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
export const DutyView = namedObject('Duty', {
  role: AgentRole,
  text: z.string(),
  since: At.optional(),
});

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

/** The first task that the owner must do. A task that can stand counts only if it blocks. */
export function ownerStep(state: SessionState, presence?: Presence): z.output<typeof Instruction> {
  const first = ownerWaits(state, presence).find(({ kind, blocking }) => blocking || !WAIT_FACTS[kind].canStand);
  return first
    ? { tool: first.operation, text: first.text }
    : { tool: null, text: 'Nothing waits for you. What each agent has to do is in duties.' };
}

const manifestRecord = ({ manifest }: SessionState) => ({
  type: 'manifest',
  id: manifest.current?.manifest_id ?? '',
});

function* readinessWaits(state: SessionState): Generator<OwnerWait> {
  const record = manifestRecord(state);
  if (isBuildReady(state)) {
    const holds = activeHolds(state.holds);
    const ready = termsOf(state).asksReadiness ? 'Both agents are ready' : 'The contract is approved';
    const text = `${ready}: authorize the build, or request changes.`;
    if (holds.length > 0) yield* holdWaits(holds, 'the build');
    else yield authorization(state, { kind: 'BUILD', stage: 'build', text });
    return;
  }
  const blocked = Object.values(state.readiness.reports).filter(({ verdict }) => verdict === 'BLOCKED');
  const [first] = blocked.toSorted((one, other) => one.seq - other.seq);
  if (!first) return;
  const text = `${blocked.map(({ by }) => by).join(' and ')} reported BLOCKED: help to remove the cause, or request changes.`;
  yield waitOf(
    { kind: 'REPORTED_BLOCKED', record, operation: 'requestChanges', text, since: first.submitted_at },
    saidBy(first.by, first.blockers.join('\n')),
  );
}

interface Authorization {
  readonly kind: 'BUILD' | 'DEPLOYMENT' | 'ACTIVATION' | 'RELEASE';
  readonly stage: Exclude<DecidedStep, 'approval'>;
  readonly text: string;
  readonly blocking?: boolean;
}

const authorization = (state: SessionState, { kind, stage, text, blocking = true }: Authorization): OwnerWait =>
  waitOf(
    { kind, record: manifestRecord(state), operation: 'authorize', text, since: state.times.clearedAt },
    { payload: { stage }, ...optionsOf(state, stage), blocking },
  );

/**
 * The owner's next task in VERIFY and RELEASE: an authorization, the end of the session, or what stops the
 * authorization. While a report on the gates is missing, the agents have the next step, so the owner's task does not
 * block.
 */
function* releaseWaits(state: SessionState): Generator<OwnerWait> {
  const { deployment_authorized, activation_authorized } = state.manifest;
  if (activation_authorized) {
    const record = { type: 'session', id: state.sessionId };
    const note = reportNote(state);
    const text = note
      ? `The activation is authorized${note}: wait for the report, or end the session now.`
      : 'The activation is authorized: end the session when the agents have completed the activation.';
    const since = state.times.clearedAt;
    yield waitOf(
      { kind: 'END', record, operation: 'end', text, since },
      { payload: { end_reason: 'COMPLETED' }, blocking: note === '' },
    );
    return;
  }
  const open = certificationOf(state).flatMap(({ check, ok }) => (ok ? [] : [check]));
  if (open.length > 0) {
    yield* unreleasableWaits(state, open);
  } else if (termsOf(state).releasesAtOnce) {
    if (missingGates(state, 'activation').length > 0) return;
    const text = `Every certification check holds${passNote(state)}: release, which ends the session, or request changes.`;
    yield authorization(state, {
      kind: 'RELEASE',
      stage: 'release',
      text: text + adviceNote(state) + approvalNote(state, 'release'),
    });
  } else if (deployment_authorized) {
    if (missingGates(state, 'activation').length > 0) return;
    const note = reportNote(state);
    const holds = `Every check still holds${passNote(state)}`;
    const text = note
      ? `${holds}${note}: wait for the report, or authorize the activation now.`
      : `${holds}: authorize the activation, or refuse it and say why.`;
    yield authorization(state, {
      kind: 'ACTIVATION',
      stage: 'activation',
      text: text + approvalNote(state, 'activation'),
      blocking: note === '',
    });
  } else {
    const passes = passNote(state);
    const text =
      passes === ''
        ? 'Every certification check holds: authorize the deployment, or request changes.'
        : `Every certification check holds${passes}: read them on the board, then authorize the deployment or request changes.`;
    yield authorization(state, {
      kind: 'DEPLOYMENT',
      stage: 'deployment',
      text: text + adviceNote(state) + approvalNote(state, 'deployment'),
    });
  }
}

/** Passes with deviations, carried passes, and the fixes that a refusal demanded: ", with deviations in test-reserve/2". */
function passNote(state: SessionState): string {
  const deviating = deviatingPasses(state).map(({ scenario_id, attempt }) => `${scenario_id}/${attempt}`);
  const carried = carriedPasses(scenariosOf(state));
  const notes = [
    ...(deviating.length > 0 ? [`deviations in ${named(deviating)}`] : []),
    ...(carried.length > 0 ? [`${named(carried)} carried over from other commits`] : []),
    ...metRefusals(state).map(
      ({ defect_id, refusal }) => `the fix of ${defect_id}, for which you refused the ${refusal?.stage}`,
    ),
  ];
  return notes.length === 0 ? '' : `, with ${notes.join(' and ')}`;
}

/**
 * The owner's tasks while a certification check fails. If only findings and holds stop the release, there is a task for
 * each of them. Otherwise, if scenarios have not passed and no builder has a step left, the task is to request changes.
 * During a pause, the steps that the builders will have after the pause count, because a request for changes would undo
 * the builders' work.
 */
function* unreleasableWaits(state: SessionState, open: readonly string[]): Generator<OwnerWait> {
  if (open.every((check) => check === 'NO_ACTIVE_HOLD' || check === 'NO_BLOCKING_FINDING')) {
    yield* findingAndHoldWaits(state);
    return;
  }
  if (!open.includes('SCENARIOS_PASSED')) return;
  yield* carryWaits(state);
  const { profile } = state;
  // The same object, unless the session is paused: what was computed of it already is not computed again.
  const running: SessionState =
    profile.status === 'ACTIVE' ? state : { ...state, profile: { ...profile, status: 'ACTIVE' } };
  if (BUILDERS.some((builder) => tasksDue(running, builder).length > 0)) return;
  const text =
    'The check SCENARIOS_PASSED is not met, and no agent has a call left that could meet this check: request changes of the contract.';
  const since = state.times.clearedAt;
  yield waitOf({ kind: 'STUCK', record: manifestRecord(state), operation: 'requestChanges', text, since });
}

/**
 * The tasks for blocking findings, and for holds on other findings. A hold on a listed finding is left out, because
 * closing the finding releases the hold.
 */
function* findingAndHoldWaits({ findings, holds }: SessionState): Generator<OwnerWait> {
  const blocking = openBlockingFindings(findings);
  for (const finding of blocking) {
    const { finding_id: id, raised_at: since } = finding;
    const text = `Finding ${id} stops the release: ask the agent that raised it to resolve it, or override the finding.`;
    yield waitOf(
      { kind: 'BLOCKER', record: { type: 'finding', id }, operation: 'overrideFinding', text, since },
      { payload: { finding_id: id }, ...saidByBoth(finding) },
    );
  }
  const blockingIds = new Set(blocking.map(({ finding_id }) => finding_id));
  yield* holdWaits(
    activeHolds(holds).filter(({ finding_id }) => !blockingIds.has(finding_id)),
    'the release',
  );
}

/** The tasks for holds if nothing else stops the next step. */
const holdWaits = (holds: readonly Hold[], stopped: string): OwnerWait[] =>
  holds.map((hold) =>
    holdWait(
      hold,
      `Only hold ${hold.hold_id} on finding ${hold.finding_id} stops ${stopped}: wait until the finding is closed, or release the hold.`,
    ),
  );
