import type { z } from 'zod';
import type { Role } from '../../kernel/roles.ts';
import { statusOfLatest } from '../blockers/revision-status.ts';
import type { Intervention } from '../interventions/record.ts';
import type { SessionState } from '../state.ts';
import { stoppingTasks } from '../tasks/agent-tasks.ts';
import { cursorOf } from './cursors.ts';
import { instructionFor } from './instruction.ts';
import type { StateView } from './schemas.ts';
import { idOf, type OpenRecord, openRecords, viewInFull, viewPosition } from './views.ts';

/** Maximum size of an answer to a wait without news, and the part of this size that `left_out` can take, in bytes. */
const BRIEF_BYTES = 700;
const LEFT_OUT_BYTES = 65;
/** Maximum number of bytes around an id in a list: `{"intervention_id":""},`. */
const REF_BYTES = 23;

type View = z.output<typeof StateView>;

/**
 * Spec 2. The state of the session as an agent sees it. The answer is short if a wait timed out. The nominations are
 * left out once there is an author.
 */
export function viewState(state: SessionState, role: Role, timedOut?: boolean): View {
  if (timedOut) return viewBriefly(state, role);
  const view = viewInFull(state, role, timedOut);
  if (state.election.contract_author === null) return view;
  const { nominations: _read, ...rest } = view;
  return rest;
}

/**
 * The short answer to a wait without news. Names each open record once, by its id, as many as fit. Of the latest
 * revision, contains only the id and the status.
 */
function viewBriefly(state: SessionState, role: Role): View {
  const { latest } = state.contract;
  const view: View = {
    ...viewPosition(state, role),
    open_questions: [],
    owner_directives: [],
    open_interventions: [],
    pending_actions: [],
    latest_revision: latest && { revision_id: latest.revision_id, status: statusOfLatest(state) },
    blockers: { count: stoppingTasks(state).length, first: [] },
    holds: [],
    cursor: cursorOf(state, role),
    timed_out: true,
    instruction: instructionFor(state, role),
  };
  return { ...view, ...openIds(state, role, BRIEF_BYTES - Buffer.byteLength(JSON.stringify(view))) };
}

/** The lists of open records with their ids alone, as many as fit into `room` bytes. */
function openIds(state: SessionState, role: Role, room: number) {
  const { questions, directives, interventions, actions, holds } = openRecords(state, role);
  const ids = [...new Set([questions, directives, interventions, actions, holds].flat().map(idOf))];
  const named = fitting(ids, room);
  const shown = <R extends OpenRecord>(records: readonly R[]): R[] => records.filter((one) => named.delete(idOf(one)));
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
