import { latestTime } from '../../kernel/clock.ts';
import { entries, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../kernel/maps.ts';
import { BUILDERS, type Builder, otherBuilder } from '../../kernel/roles.ts';
import { ACTION_TYPES } from '../actions/events.ts';
import type { Action } from '../actions/state.ts';
import type { SessionDraft } from '../catalog.ts';
import { currentReview } from '../reviews/rules.ts';
import type { SessionState } from '../state.ts';
import type { QuietTask, Task } from '../task.ts';
import { hasNewCommit, unfixedDefects } from '../verify/defects.ts';
import {
  type MissingEvidence,
  missingWords,
  onOtherFixture,
  openDefectsOf,
  type Scenario,
  scenariosOf,
  undeclared,
  unready,
} from '../verify/scenarios.ts';
import type { Attempt, Defect } from '../verify/state.ts';
import { adviceTask, buildTasks, contractTaskTasks, readinessTasks, reportTasks, verifyTasks } from './build-tasks.ts';
import { assessments, contractTasks, reviewTasks } from './contract-tasks.ts';
import { acceptanceTasks, electionTasks, interventionTasks, questionTasks } from './planning-tasks.ts';

/**
 * Everything that the agents have to do in a state, and what the owner has to do before the contract can be certified.
 * Each task once: the tasks that stop certification in the order in which they must be done, then the others. The turn that a
 * builder posts next is not a task of the state: `planningStep` names it, because the instruction alone asks for it.
 */
export const agentTasks = memoizeBy((state: SessionState): readonly Task[] => [
  ...quietTasks(state),
  ...interventionTasks(state),
  ...contractTasks(state),
  ...laterTasks(state),
]);

/** The tasks of planning that open no action. There can be hundreds, so an append does not ask for them. */
function* quietTasks(state: SessionState): Generator<QuietTask> {
  yield* electionTasks(state);
  yield* acceptanceTasks(state);
  yield* questionTasks(state);
}

/** The tasks among which are all that open actions. */
function* openingTasks(state: SessionState): Generator<Task> {
  yield* interventionTasks(state);
  yield* laterTasks(state);
}

function* laterTasks(state: SessionState): Generator<Task> {
  const isApproved = state.manifest.current !== null;
  yield* reviewTasks(state);
  if (isApproved) yield* phaseTasks(state);
  yield* assessments(state);
  if (!isApproved) return;
  yield* adviceTask(state);
  yield* contractTaskTasks(state);
}

/** Computed once for a state, because the tasks about scenarios cost the most. */
const phaseTasks = memoizeBy((state: SessionState): readonly Task[] => [
  ...readinessTasks(state),
  ...buildTasks(state),
  ...verifyTasks(state),
  ...reportTasks(state),
]);

/** A task that stops certification. */
export type StoppingTask = Task & Required<Pick<Task, 'stops'>>;

const isStopping = (task: Task): task is StoppingTask => task.stops !== undefined;

/**
 * The tasks that stop certification, in the order in which they must be done. A missing review that is not due yet says
 * in `waits_for` who must act first: if the Technical Reviewer has not reviewed yet, the author waits for that reviewer.
 * Otherwise a review waits for the role of the first task that is due.
 */
export const stoppingTasks = memoizeBy((state: SessionState): readonly StoppingTask[] => {
  const tasks = agentTasks(state).filter(isStopping);
  const isDue = ({ stops, action }: StoppingTask): boolean => stops.code !== 'REVIEW_MISSING' || action !== undefined;
  const first = tasks.find(isDue)?.due_to ?? 'moderator';
  const { contract_author: author } = state.election;
  const reviewer = author && otherBuilder(author);
  return tasks.map((task) => {
    if (isDue(task)) return task;
    const waits_for = task.due_to === author && reviewer && !currentReview(state, reviewer) ? reviewer : first;
    return { ...task, stops: { ...task.stops, waits_for } };
  });
});

export const isCertified = (state: SessionState): boolean =>
  state.contract.latest !== null && stoppingTasks(state).length === 0;

/** The events that open an action for each new task, and that complete the actions whose tasks have ended. */
export function settleTasks(state: SessionState): SessionDraft[] {
  const due =
    state.profile.status === 'ENDED' ? [] : [...openingTasks(state)].filter(({ action }) => action !== undefined);
  const { inForce, all } = state.actions;
  const fresh = due.filter(({ key }) => lookUp(inForce, key) === undefined);
  const opened = fresh.flatMap((task, index) => openedDrafts(task, `act_${all.size + index + 1}`));
  const keys = new Set(due.map(({ key }) => key));
  const met = entries(inForce).flatMap(([key, id]) => (keys.has(key) ? [] : (lookUp(all, id) ?? [])));
  return [...opened, ...met.map(fulfilledDraft)];
}

function openedDrafts({ key, code, due_to, action }: Task, action_id: string): SessionDraft[] {
  const type = ACTION_TYPES.find((each) => each === code);
  if (!type || !action || due_to === 'owner') return [];
  const { text, tool, payload, about } = action;
  const data = {
    action_id,
    due_to,
    type,
    text,
    tool,
    payload: tool === 'complete_action' ? { action_id, ...payload } : payload && { ...payload },
    about,
    obligation: key,
  };
  return [{ kind: 'action.opened', data, actor: 'system' }];
}

const fulfilledDraft = ({ action_id, due_to }: Action): SessionDraft => ({
  kind: 'action.fulfilled',
  data: { action_id, due_to },
  actor: 'system',
});

export interface Owed {
  readonly role: Builder;
  /** The task in words that follow "owes" in a sentence. Of the texts of agents, it contains only ids. */
  readonly what: string;
  readonly since: string;
}

/**
 * What the builders must do next before a scenario can pass: missing handshakes or, if none is missing, fixes of
 * defects or, if no defect is open, the attempt. A stale scenario runs again after the fixes of all defects. Empty if the scenario has passed, and outside VERIFY and RELEASE. The
 * attempt is left out for a scenario that waits for other scenarios.
 */
export function owesOf(state: SessionState, scenario: Scenario): Owed[] {
  const { phase, status } = state.profile;
  const isVerifying = phase === 'VERIFY' || phase === 'RELEASE';
  if (!isVerifying || status === 'ENDED' || scenario.status === 'PASSED') return [];
  const handshakes = handshakesOwed(state);
  if (handshakes.length > 0) return handshakes;
  const defects = scenario.open ? [] : openDefectsOf(state, scenario.test.id);
  if (defects.length > 0) return defects.map((defect) => fixOwed(state, scenario, defect));
  if (scenario.waitsFor.length > 0) return [];
  if (scenario.open) return attemptOwed(scenario, scenario.open);
  if (scenario.status === 'STALE') {
    const fixes = unfixedDefects(state.verify);
    if (fixes.length > 0) return fixes.map((defect) => fixOwed(state, scenario, defect));
  }
  return [{ role: scenario.test.executor, what: runWords(scenario), since: runnableSince(state, scenario) }];
}

function handshakesOwed(state: SessionState): Owed[] {
  const declaredAt = (role: Builder): string => state.verify.handshakes[role]?.declared_at ?? state.at;
  return [
    ...undeclared(state).map((role) => ({ role, what: 'its handshake', since: buildBegan(state, role) })),
    ...unready(state).map((role) => ({
      role,
      what: 'a handshake that says ready and healthy',
      since: declaredAt(role),
    })),
    ...onOtherFixture(state).map((role) => ({
      role,
      what: 'a handshake with the fixture_version of the manifest',
      since: declaredAt(role),
    })),
  ];
}

/** Time since which a builder's handshake is due: the time when the build was authorized. */
function buildBegan({ actions, manifest: { current }, at }: SessionState, role: Builder): string {
  const id = lookUp(actions.inForce, `DECLARE_HANDSHAKE ${role} ${current?.manifest_id}`);
  return (id === undefined ? undefined : lookUp(actions.all, id)?.opened_at) ?? current?.frozen_at ?? at;
}

/**
 * What the builders must do for an open attempt: give the missing evidence or, if none is missing, the verdict. The
 * builder that did not start the attempt must give evidence only after the first evidence was given.
 */
function attemptOwed({ evaluation }: Scenario, { started_by, started_at, evidence_at }: Attempt): Owed[] {
  const judge = otherBuilder(started_by);
  if (!evaluation || evaluation.missing.length === 0)
    return [{ role: judge, what: 'the verdict', since: evidence_at?.last ?? started_at }];
  const begun = evidence_at ? BUILDERS : [started_by];
  return begun.flatMap((role) => {
    const own = evaluation.missing.filter(({ builder }) => builder === role).map(owedWords);
    if (own.length === 0) return [];
    return [
      { role, what: own.join(' and '), since: role === started_by ? started_at : (evidence_at?.first ?? started_at) },
    ];
  });
}

const owedWords = (missing: MissingEvidence): string =>
  'items' in missing ? `${missingWords(missing)} of evidence` : missingWords(missing);

/** The fix of a defect, due since its last failed attempt or, if the owner gave it to this builder later, since then. */
function fixOwed(state: SessionState, { record }: Scenario, defect: Defect): Owed {
  const { defect_id, assigned_to: role, attempt, opened_at, reassigned = [] } = defect;
  const given = reassigned.at(-1)?.at;
  const failed =
    latestTime([opened_at, record.attempts.find((one) => one.attempt === attempt)?.verdict?.given_at]) ?? opened_at;
  const isDeclared = hasNewCommit(state.verify, defect, role);
  const from = isDeclared ? (state.verify.handshakes[role]?.declared_at ?? failed) : failed;
  const what = isDeclared ? `the call that marks ${defect_id} fixed` : `the fix of ${defect_id}, on a new commit`;
  return { role, what, since: latestTime([from, given]) ?? from };
}

function runWords({ record: { outcome } }: Scenario): string {
  if (outcome === 'FAILED') return 'the rerun after the fix';
  return outcome === 'STALE' ? 'the rerun on the declared commits' : 'the first run';
}

/**
 * Time since which a scenario can run: the latest time of its outcome, of the handshakes, of the outcomes of the
 * scenarios on which it depends, and of the fixes of its defects.
 */
function runnableSince(state: SessionState, { test, record }: Scenario): string {
  const { handshakes, defects } = state.verify;
  const dependencies = scenariosOf(state).filter((other) => test.depends_on.includes(other.test.id));
  const times = [
    record.outcome_at,
    ...BUILDERS.map((role) => handshakes[role]?.declared_at ?? null),
    ...dependencies.map((other) => other.record.outcome_at),
    ...valuesOf(defects)
      .filter(({ scenario_id }) => scenario_id === test.id)
      .map(({ fix }) => fix?.fixed_at ?? null),
  ];
  return latestTime(times) ?? state.at;
}
