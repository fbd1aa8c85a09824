import type { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { keysOf, lookUp } from '../../kernel/log/persistent-collections.ts';
import type { ListSource } from '../../kernel/operation/bounded-lists.ts';
import type { Domain, Operation } from '../../kernel/operation/operation.ts';
import { BUILDERS, isBuilder, type Presence, type Role } from '../../kernel/roles.ts';
import type { Action } from '../actions/state.ts';
import { type GroundRecord, groundKey } from '../grounds/state.ts';
import { termsOf } from '../profiles.ts';
import { routeOf } from '../routes.ts';
import type { SessionState } from '../state.ts';
import { type DueView, type Instruction, judgedIn, type Task } from '../task.ts';
import { callsDue, nextTask } from '../tasks/due.ts';
import { notDone, scenariosOf } from '../verify/scenarios.ts';
import { ownerStep } from './owner-waits/owner-waits.ts';

/**
 * The next step of a role: its first task.
 * @param presence only for the owner: adds the tasks that depend on the time and on the agents' last calls
 */
export function instructionFor(state: SessionState, role: Role, presence?: Presence): z.output<typeof Instruction> {
  if (state.profile.status === 'ENDED')
    return {
      tool: null,
      text: `The session has ended: there is nothing left to do. You can still read.${releasedNote(state, role)}`,
    };
  if (role === 'owner') return ownerStep(state, presence);
  const { tool = null, text } = nextTask(state, role);
  return { tool, ...routeOf(tool, role), text };
}

const releasedNote = (state: SessionState, role: Role): string =>
  termsOf(state).releasesAtOnce && state.manifest.activation_authorized ? ` ${notDone(state, role)}` : '';

export const checkLifecycle: Domain<SessionState>['checkLifecycle'] = (state, operation, { role }) => {
  const { status, phase } = state.profile;
  if (operation.access.anyone) return;
  if (status === 'ENDED' && operation.worksAfterEnd) return;
  if (status === 'ENDED') fail('SESSION_ENDED', 'The session has ended.', { status });
  if (status !== 'ACTIVE' && !worksIn(status, operation, role)) requireActive(state);
  const allowed_phases = operation.phases && [...operation.phases, ...(termsOf(state).alsoIn[operation.name] ?? [])];
  if (allowed_phases && !allowed_phases.includes(phase)) {
    fail('WRONG_PHASE', `${operation.name} works in ${allowed_phases.join(' and ')}; the session is in ${phase}.`, {
      phase,
      allowed_phases,
    });
  }
};

/** Refuses the call unless the session is ACTIVE. Used by operations of which only a part works during a pause. */
export function requireActive({ profile: { status } }: SessionState): void {
  if (status !== 'ACTIVE') fail('SESSION_NOT_ACTIVE', `The session is ${status}.`, { status });
}

const worksIn = (
  status: 'DRAFT' | 'PAUSED',
  { worksWhilePaused }: Pick<Operation<SessionState>, 'worksWhilePaused'>,
  role: Role,
): boolean =>
  worksWhilePaused === 'moderator' ? status === 'PAUSED' && role === 'moderator' : worksWhilePaused === true;

/** A task that is due, and whether the answer has its text already: in the instruction, or about another scenario. */
interface Ranked {
  readonly task: Task;
  readonly isSaid: boolean;
}

/** The tasks that a role can do now. To a builder that has named its cursor `after`, those that are older are seen. */
export function dueTo(state: SessionState, role: Role, after?: number): readonly Task[] {
  if (role === 'owner') return [];
  const due = callsDue(state, role);
  if (!after || !isBuilder(role)) return due;
  return due.map((task) => {
    const since = shownSince(state, task);
    return since !== undefined && since <= after ? { ...task, isSeen: true } : task;
  });
}

/** The open action of a task. */
function actionOf({ actions: { all, inForce } }: SessionState, { action_id, key }: Task): Action | undefined {
  const action = lookUp(all, action_id ?? lookUp(inForce, key) ?? '');
  return action && action.status !== 'COMPLETED' ? action : undefined;
}

/**
 * A list of the calls that are due, with what no other member of the answer says. The text of the first is that of the
 * instruction, a text that differs only in its scenario stands once, the text of a question or a directive is in its list, and an
 * action has its call and its text. A call that the reader has seen only names what it is about.
 */
export const dueSource = (
  state: SessionState,
  role: Role,
  tasks: readonly Task[],
): ListSource<Ranked, z.output<typeof DueView>> => ({
  records: ranked(tasks),
  view: ({ task, isSaid }) => (task.isSeen ? shortCall(viewDue(state, task, true)) : viewDue(state, task, isSaid)),
  how: () =>
    isBuilder(role)
      ? 'Make the listed calls first; read_session_state then lists the other calls.'
      : 'First do what the listed calls do; then the other calls appear here.',
});

function ranked(tasks: readonly Task[]): Ranked[] {
  const texts = tasks.map(({ text, scenario_id, isSeen }) => {
    if (isSeen) return undefined;
    return scenario_id === undefined ? text : text.replaceAll(scenario_id, '');
  });
  return tasks.map((task, index) => ({ task, isSaid: index === 0 || texts.indexOf(texts[index]) < index }));
}

function viewDue(state: SessionState, task: Task, isSaid: boolean): z.output<typeof DueView> {
  const { tool = '', due_to, text, said, scenario_id, other_address } = task;
  const action = actionOf(state, task);
  const named = action && { action_id: action.action_id };
  if (action && isCallOf(action, task)) return { tool, ...named };
  const payload = task.payload ?? (tool === 'complete_action' ? named : undefined);
  return {
    tool,
    ...routeOf(tool, due_to),
    payload: payload && { ...payload },
    ...(isSaid || said ? {} : { reason: text }),
    ...(task.payload?.scenario_id === undefined && { scenario_id }),
    other_address,
    ...judgedIn(task),
  };
}

type Call = z.output<typeof DueView>;

/** A call that the reader has seen: the action or the scenario that it is about, or what it is sent with. */
function shortCall({ tool, action_id, scenario_id, payload }: Call): Call {
  if (action_id !== undefined) return { tool, action_id };
  const of = scenario_id ?? payload?.scenario_id;
  return { tool, ...(typeof of === 'string' ? { scenario_id: of } : { payload }) };
}

/** Whether the action names the call of the task. */
const isCallOf = (action: Action, { tool, payload }: Task): boolean =>
  action.tool === tool && (payload === undefined || JSON.stringify(action.payload) === JSON.stringify(payload));

/** Number of the event since which a task is as it is. Undefined if no events of its records tell that. */
function shownSince(state: SessionState, task: Task): number | undefined {
  const { questions, interventions } = state;
  const { type, id } = task.record;
  const action = actionOf(state, task);
  if (action) return action.since;
  if (type === 'scenario') return changedAt(state, scenarioRecords(state, id));
  if (type === 'question') return lookUp(questions.all, id)?.seq;
  return type === 'intervention' ? lookUp(interventions.all, id)?.seq : undefined;
}

/** The records on which the calls about a scenario depend. */
const scenarioRecords = (state: SessionState, id: string): readonly GroundRecord[] => [
  ...[id, ...(scenariosOf(state).find(({ test }) => test.id === id)?.test.depends_on ?? [])].map(recordOf('scenario')),
  ...BUILDERS.map(recordOf('handshake')),
  ...keysOf(state.verify.defects).map(recordOf('defect')),
  { type: 'manifest', id: state.manifest.current?.manifest_id ?? '' },
];

const recordOf =
  (type: GroundRecord['type']) =>
  (id: string): GroundRecord => ({ type, id });

/** Number of the latest event that changed one of the records. 0 if there is none. */
export const changedAt = ({ grounds }: SessionState, records: readonly GroundRecord[]): number =>
  Math.max(...records.map((record) => lookUp(grounds, groundKey(record)) ?? 0));

/** A task that the reader has seen, in words that name it by its id. */
export function seenWords(state: SessionState, task: Task): string {
  const action = actionOf(state, task);
  if (action) return `As before: action ${action.action_id} (${action.type}).`;
  return `As before: ${task.record.type} ${task.record.id}.`;
}
