import type { BodyOf } from '../../kernel/log/event-catalog.ts';
import { headed, type Words } from '../event-words.ts';
import type { actionEvents } from './events.ts';

type Completed = BodyOf<(typeof actionEvents)['action.completed']>;

export const actionWords: Words<typeof actionEvents> = {
  'action.opened': ({ due_to, text }, { nameOf, say }) =>
    headed(`${say('gives', 'give')} a task to ${nameOf(due_to)}`, text),
  'action.completed': (body, { say }) => headed(`${say('completes', 'complete')} ${actionIn(body)}`, body.note),
  'action.settled': (body, { say }) => {
    const { action_id, type, about, note } = body;
    const settled = type === 'BUILD_TASK' ? `${action_id}: build ${about?.id ?? ''}` : actionIn(body);
    return headed(`${say('completes', 'complete')} ${settled}`, note);
  },
};

/** What an action asks the agent to do, by the type of the action. */
const ACTION_WORDS: Readonly<Record<NonNullable<Completed['type']>, string>> = {
  REVIEW_REVISION: 'the review of a revision',
  RESPOND_FINDING: 'the answer to a finding',
  ACK_DIRECTIVE: 'the acknowledgement of a directive',
  CONFIRM_RECEIPTS: 'the receipts of the artifacts',
  SUBMIT_READINESS: 'the readiness report',
  CONFIRM_ANSWERS: 'the check of the readiness answers',
  BEGIN_BUILD: 'the build',
  BUILD_TASK: 'a task of the build',
  DECLARE_HANDSHAKE: 'the handshake',
  FIX_DEFECT: 'the fix of a defect',
  REPORT_GATES: 'the report on the gates',
  OWNER_TASK: 'the task that the owner gave',
  CHECK_ANSWER: 'the check of an answer',
  ASSESS_RESPONSE: 'the assessment of a response',
  ADVISE_DEPLOYMENT: 'the advice on the deployment',
};

/**
 * The id of an action, and what the agent must do: `act_24: the build`. Older events do not contain the type of the
 * action; their text is the id alone. The type of an action of a later version is shown unchanged.
 */
const actionIn = ({ action_id, type }: Completed): string =>
  type ? `${action_id}: ${ACTION_WORDS[type] ?? type}` : action_id;
