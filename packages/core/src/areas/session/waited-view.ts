import type { z } from 'zod';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { BUILDERS, type Builder, isBuilder, type Role } from '../../kernel/roles.ts';
import { statusOfLatest } from '../blockers/rules.ts';
import { type GroundRecord, groundKey } from '../grounds/state.ts';
import type { Intervention } from '../interventions/state.ts';
import type { SessionState } from '../state.ts';
import { isWaiting, type Task } from '../task.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { nextTask } from '../tasks/due.ts';
import { changedAt, dueTo, instructionFor, seenWords } from './rules.ts';
import { idOf, type OpenRecord, openRecords, type StateView, viewInFull, viewPosition } from './views.ts';
import { cursorOf, unreadCall } from './work.ts';

type View = z.output<typeof StateView>;

interface Waited {
  /** Whether the wait ended without news. Absent for a read that did not wait. */
  readonly timedOut?: boolean | undefined;
  /** The cursor of the caller. Absent if it has named none. */
  readonly after?: number | undefined;
  /** The tasks that are due, with the texts of stored events in their payloads. Default: without these texts. */
  readonly due?: readonly Task[];
}

/**
 * Spec 2. The state of the session as an agent sees it. To a builder that has named its cursor, a wait answers with what is new since
 * and with what is due. Any other wait without news has a short answer. The nominations are left out once there is an author.
 */
export function viewState(state: SessionState, role: Role, { timedOut, after, due }: Waited = {}): View {
  const named = after && timedOut !== undefined && isBuilder(role) ? role : undefined;
  if (timedOut) return named ? viewNothingNew(state, named) : viewBriefly(state, role);
  const tasks = due ?? dueTo(state, role, named && after);
  if (named && after) return viewNews(state, named, after, tasks);
  const view: View = {
    ...viewInFull(state, role, { timedOut, due: tasks }),
    ...(after && unreadCall(state, role, after)),
  };
  if (state.election.contract_author === null) return view;
  const { nominations: _read, ...rest } = view;
  return rest;
}

/** What is due from a builder and what is new since its cursor. What it has seen is named by its id. */
function viewNews(state: SessionState, role: Builder, after: number, tasks: readonly Task[]): View {
  const view = viewInFull(state, role, { timedOut: false, due: tasks });
  const isSeen = (since: number | undefined): boolean => since !== undefined && since <= after;
  const isNew = (...records: readonly GroundRecord[]): boolean => changedAt(state, records) > after;
  const [first] = tasks;
  const lists = newRecords(state, view, isSeen);
  const { latest_revision: latest, contract_author, technical_reviewer, authorizations, nominations } = view;
  const instruction = first?.isSeen ? seenInstruction(state, first) : view.instruction;
  const isBrief = tasks.some((task) => task.isSeen) || lists.isBrief;
  return {
    ...viewPlace(state, role),
    ...(contract_author === null && isNew(AUTHOR, ...NOMINATIONS) && { nominations }),
    ...(isNew(AUTHOR) && { contract_author, technical_reviewer }),
    ...lists.shown,
    latest_revision: latest && (isNew({ type: 'revision', id: latest.revision_id }) ? latest : shortRevision(state)),
    blockers: { count: view.blockers.count },
    ...(isNew(...authorizing(state)) && { authorizations }),
    cursor: view.cursor,
    ...(view.quotas && { quotas: view.quotas }),
    timed_out: false,
    instruction: isWaiting(nextTask(state, role)) ? { tool: instruction.tool, text: instruction.text } : instruction,
    ...(view.due && { due: view.due }),
    ...unreadCall(state, role, after),
    ...(isBrief && WHOLE),
    ...(view.left_out && { left_out: view.left_out }),
  };
}

/** The members of the position that can change. */
function viewPlace(state: SessionState, role: Builder) {
  const { status, phase, round, turn_index, next_agent, your_turn } = viewPosition(state, role);
  return { status, phase, round, turn_index, next_agent, ...(your_turn && { your_turn }) };
}

/** The open records: those that are new in full, those that the reader has seen by their ids, if they are due from it. */
function newRecords(
  { actions, interventions, questions, grounds }: SessionState,
  view: ReturnType<typeof viewInFull>,
  isSeen: (since: number | undefined) => boolean,
) {
  const isOld = (id: string): boolean => isSeen(lookUp(interventions.all, id)?.seq);
  const fresh = view.pending_actions.filter(({ action_id }) => !isSeen(lookUp(actions.all, action_id)?.since));
  const holds = view.holds.filter(({ hold_id }) => !isSeen(lookUp(grounds, groundKey({ type: 'hold', id: hold_id }))));
  const open_questions = view.open_questions.map((question) =>
    isSeen(lookUp(questions.all, question.question_id)?.seq) ? { question_id: question.question_id } : question,
  );
  const open_interventions = view.open_interventions.map((one) =>
    isOld(one.intervention_id) ? { intervention_id: one.intervention_id } : one,
  );
  const owner_directives = view.owner_directives.flatMap((directive) => {
    if ('revision_id' in directive)
      return isSeen(directive.message_id) ? { revision_id: directive.revision_id } : directive;
    if (directive.text === undefined) return []; // Answered.
    if (!isOld(directive.intervention_id)) return directive;
    return directive.status === 'OPEN' ? { intervention_id: directive.intervention_id } : [];
  });
  const isBrief = [open_questions, open_interventions, owner_directives].some((list) =>
    list.some((one) => !('text' in one)),
  );
  const told = (text: string): boolean => view.instruction.text.includes(text);
  const pending_actions = fresh.map(({ text, ...action }) => (told(text) ? action : { ...action, text }));
  return {
    isBrief,
    shown: {
      open_questions,
      owner_directives,
      ...(open_interventions.length > 0 && { open_interventions }),
      ...(pending_actions.length > 0 && { pending_actions }),
      ...(holds.length > 0 && { holds }),
    },
  };
}

const WHOLE = { whole: 'read_session_state (GET state)' };

const seenInstruction = (state: SessionState, task: Task): View['instruction'] => ({
  tool: task.tool ?? null,
  text: seenWords(state, task),
});

const AUTHOR: GroundRecord = { type: 'author', id: 'contract' };
const NOMINATIONS = BUILDERS.map((id): GroundRecord => ({ type: 'nomination', id }));

/**
 * The records whose events change the authorizations: a request for changes is an event of a revision, and a handshake cancels
 * the deployment, which needs the pass of a scenario.
 */
const authorizing = ({ manifest, contract, verify }: SessionState): readonly GroundRecord[] => [
  { type: 'manifest', id: manifest.current?.manifest_id ?? '' },
  { type: 'revision', id: contract.latest?.revision_id ?? '' },
  ...(valuesOf(verify.scenarios).some(({ outcome }) => outcome !== null)
    ? BUILDERS.map((id): GroundRecord => ({ type: 'handshake', id }))
    : []),
];

const shortRevision = (state: SessionState): View['latest_revision'] =>
  state.contract.latest && { revision_id: state.contract.latest.revision_id, status: statusOfLatest(state) };

/** Maximum size of an answer to a wait without news, and the part of this size that `left_out` can take, in bytes. */
const BRIEF_BYTES = 700;
const LEFT_OUT_BYTES = 65;
/** Maximum number of bytes around an id in a list: `{"intervention_id":""},`. */
const REF_BYTES = 23;

/**
 * The answer to a wait without news after the cursor of a builder: the members that the interface names, and the cursor. Names each
 * open question and each directive that the builder has not acknowledged by its id, as many as fit.
 */
function viewNothingNew(state: SessionState, role: Builder): View {
  const [first] = dueTo(state, role);
  const { tool, text } = instructionFor(state, role);
  const view: View = {
    ...viewPlace(state, role),
    open_questions: [],
    owner_directives: [],
    latest_revision: shortRevision(state),
    blockers: { count: stoppingTasks(state).length },
    cursor: cursorOf(state, role),
    timed_out: true,
    instruction: first ? seenInstruction(state, first) : { tool, text },
    ...(first && WHOLE),
  };
  const { questions, directives } = openRecords(state, role);
  const open = directives.filter((one) => 'revision_id' in one || one.responses[role]?.status === 'OPEN');
  const brief = { ...view, ...(questions.length + open.length > 0 && WHOLE) };
  const { open_questions, owner_directives, left_out } = openIds({ questions, directives: open }, roomIn(brief));
  return { ...brief, open_questions, owner_directives, ...(left_out && { left_out }) };
}

const roomIn = (view: View): number => BRIEF_BYTES - Buffer.byteLength(JSON.stringify(view));

/**
 * The short answer to a wait without news. Names each open record once, by its id, as many as fit. Of the latest
 * revision, contains only the id and the status.
 */
function viewBriefly(state: SessionState, role: Role): View {
  const view: View = {
    ...viewPosition(state, role),
    open_questions: [],
    owner_directives: [],
    open_interventions: [],
    pending_actions: [],
    latest_revision: shortRevision(state),
    blockers: { count: stoppingTasks(state).length },
    holds: [],
    cursor: cursorOf(state, role),
    timed_out: true,
    instruction: instructionFor(state, role),
  };
  return { ...view, ...openIds(openRecords(state, role), roomIn(view)) };
}

type OpenRecords = ReturnType<typeof openRecords>;

/** The lists of open records with their ids alone, as many as fit into `room` bytes. */
function openIds(records: Partial<OpenRecords>, room: number) {
  const { questions = [], directives = [], interventions = [], actions = [], holds = [] } = records;
  const ids = [...new Set([questions, directives, interventions, actions, holds].flat().map(idOf))];
  const named = fitting(ids, room);
  const shown = <R extends OpenRecord>(list: readonly R[]): R[] => list.filter((one) => named.delete(idOf(one)));
  const left = ids.length - named.size;
  return {
    open_questions: shown(questions).map(({ question_id }) => ({ question_id })),
    owner_directives: shown(directives).map((directive) =>
      'revision_id' in directive ? { revision_id: directive.revision_id } : interventionRef(directive),
    ),
    open_interventions: shown(interventions).map(interventionRef),
    pending_actions: shown(actions).map(({ action_id }) => ({ action_id })),
    holds: shown(holds).map(({ hold_id }) => ({ hold_id })),
    ...(left > 0 ? { left_out: { count: left, how: 'Call read_session_state.' } } : {}),
  };
}

const interventionRef = ({ intervention_id }: Intervention) => ({ intervention_id });

/** The ids at the beginning of the list that fit into `room` bytes. If not all fit, room is left for `left_out`. */
function fitting(ids: readonly string[], room: number): Set<string> {
  const bytes = ids.reduce((sum, id) => sum + id.length + REF_BYTES, 0);
  if (bytes <= room) return new Set(ids);
  let left = room - LEFT_OUT_BYTES;
  const end = ids.findIndex((id) => {
    left -= id.length + REF_BYTES;
    return left < 0;
  });
  return new Set(ids.slice(0, end));
}
