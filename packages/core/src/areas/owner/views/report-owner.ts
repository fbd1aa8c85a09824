import type { LoggedEvent } from '../../../kernel/log/event.ts';
import { valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { actionEvents } from '../../actions/events.ts';
import type { Action } from '../../actions/schemas.ts';
import { contractEvents } from '../../contract/events.ts';
import type { Revision } from '../../contract/record.ts';
import { GATE_STAGES } from '../../document/contract.ts';
import type { Intervention } from '../../interventions/record.ts';
import { manifestEvents } from '../../manifest/events.ts';
import type { ReportedEntry } from '../../rendering/report/facts.ts';
import { sessionEvents } from '../../session/events.ts';
import type { SessionState } from '../../state.ts';
import { namesIn, namesOf } from './report-names.ts';

/** Maximum number of pauses and requests for changes that are read for a report, from the newest. */
const MAX_REASONS = 50;

/** An entry with the number of its event, by which the entries are ordered. */
interface Numbered {
  readonly seq: number;
  readonly entry: ReportedEntry;
}

/** Numbers of the stored events with texts of the owner. */
export function ownerSeqs(state: SessionState): number[] {
  const notes = GATE_STAGES.flatMap((stage) => state.manifest.noteSeqs?.[stage] ?? []);
  const done = ownerTasks(state).flatMap(({ completed_seq }) => completed_seq ?? []);
  return [...state.times.reasonSeqs.slice(-MAX_REASONS), ...notes, ...done];
}

/** What the owner said and what was answered, oldest first. */
export const ownerEntries = (state: SessionState, loaded: readonly LoggedEvent[]): ReportedEntry[] =>
  [
    ...valuesOf(state.interventions.all)
      .filter(({ from }) => from === 'owner')
      .map((one) => ({ seq: one.seq, entry: interventionEntry(state, one) })),
    ...answersToAgents(state),
    ...loaded.flatMap((event) => spokenEntry(state, event)),
    ...ownerTasks(state).map((task) => taskEntry(state, task, loaded)),
  ]
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ entry }) => entry);

/** A question or directive with its answers. */
export function interventionEntry(state: SessionState, intervention: Intervention): ReportedEntry {
  const { intervention_id: id, type, targets, text, opened_at, withdrawn, responses } = intervention;
  const what = `${type === 'DIRECTIVE' ? 'Directive' : 'Question'} to ${namesOf(state, targets)}`;
  const answers = targets.flatMap((target) => {
    const { status, text: answer } = responses[target] ?? {};
    const by = namesIn(state)(target);
    if (status === 'ANSWERED') return [{ by, text: answer ?? '' }];
    return withdrawn
      ? []
      : [{ by: `${by} ${status === 'ACKNOWLEDGED' ? 'acknowledged it' : 'did not answer'}`, text: '' }];
  });
  return { id, what: withdrawn ? `${what}, ${withdrawn}` : what, at: opened_at, text: text ?? '', answers };
}

const answersToAgents = (state: SessionState): Numbered[] =>
  valuesOf(state.questions.all).flatMap(({ question_id: id, to, from, text, asked_at: at, seq, answer }) => {
    if (to !== 'owner' || answer === null) return [];
    const what = `Question of ${namesIn(state)(from)}`;
    const answers = [{ by: 'Answer of the owner', text: answer }];
    return [{ seq, entry: { id, what, at, text, answers } }];
  });

/** The entry of a pause, of a request for changes or of a note on an authorization. Empty for any other event. */
function spokenEntry(state: SessionState, { kind, data, seq, at }: LoggedEvent): Numbered[] {
  switch (kind) {
    case 'session.paused': {
      const { reason } = sessionEvents['session.paused'].data.parse(data);
      return [{ seq, entry: { what: 'Pause', at, text: reason } }];
    }
    case 'changes.requested': {
      const { reason, revision_id } = contractEvents['changes.requested'].data.parse(data);
      const answers = [
        answerOf(valuesOf(state.contract.revisions).find(({ request_seqs }) => request_seqs.includes(seq))),
      ];
      return [{ seq, entry: { what: `Request for changes to ${revision_id}`, at, text: reason, answers } }];
    }
    case 'build.authorized':
    case 'deployment.authorized':
    case 'activation.authorized': {
      const { note } = manifestEvents[kind].data.parse(data);
      const what = `Note on the authorization of the ${kind.slice(0, kind.indexOf('.'))}`;
      return note ? [{ seq, entry: { what, at, text: note } }] : [];
    }
    default:
      return [];
  }
}

const answerOf = (revision: Revision | undefined): { by: string; text: string } =>
  revision
    ? { by: `${revision.revision_id} was submitted after this request`, text: revision.reason }
    : { by: 'No revision was submitted after this request', text: '' };

/** The actions that the owner assigned. */
export const ownerTasks = ({ actions }: SessionState): Action[] =>
  valuesOf(actions.all).filter(({ type }) => type === 'OWNER_TASK');

function taskEntry(state: SessionState, task: Action, loaded: readonly LoggedEvent[]): Numbered {
  const { action_id: id, due_to, text, opened_at: at, status, completed_seq, opened_for: seq } = task;
  const by = namesIn(state)(due_to);
  const event = loaded.find((one) => one.seq === completed_seq);
  const note = actionEvents['action.completed'].data.safeParse(event?.data).data?.note ?? '';
  const answer = status === 'COMPLETED' ? { by: `Done by ${by}`, text: note } : { by: `Not done by ${by}`, text: '' };
  return { seq, entry: { id, what: `Task for ${by}`, at, text, answers: [answer] } };
}
