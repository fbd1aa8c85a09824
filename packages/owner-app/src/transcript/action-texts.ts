import type { Voice } from './event-text.ts';
import { type Members, membersOf, textIn } from './message.ts';

/**
 * What an action asks the agent to do, by the type of the action. A type that is not in this map is shown unchanged.
 */
const ACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ['REVIEW_REVISION', 'the review of a revision'],
  ['RESPOND_FINDING', 'the answer to a finding'],
  ['ACK_DIRECTIVE', 'the acknowledgement of a directive'],
  ['CONFIRM_RECEIPTS', 'the receipts of the artifacts'],
  ['SUBMIT_READINESS', 'the readiness report'],
  ['BEGIN_BUILD', 'the build'],
  ['BUILD_TASK', 'a task of the build'],
  ['DECLARE_HANDSHAKE', 'the handshake'],
  ['FIX_DEFECT', 'the fix of a defect'],
  ['REPORT_GATES', 'the report on the gates'],
  ['OWNER_TASK', 'the task that the owner gave'],
  ['CHECK_ANSWER', 'the check of an answer'],
  ['ASSESS_RESPONSE', 'the assessment of a response'],
  ['ADVISE_DEPLOYMENT', 'the advice on the deployment'],
]);

/**
 * The id of an action, and what the agent must do: `act_24: the build`. Older events do not contain the type of the
 * action; their text is the id alone.
 */
export function actionIn(body: Members): string {
  const id = textIn(body, 'action_id');
  const type = textIn(body, 'type');
  return type ? `${id}: ${ACTION_WORDS.get(type) ?? type}` : id;
}

/** The heading of the event `action.settled`. */
export function settledHeading(body: Members, say: Voice): string {
  if (textIn(body, 'type') !== 'BUILD_TASK') return `${say('completes', 'complete')} ${actionIn(body)}`;
  return `${say('completes', 'complete')} ${textIn(body, 'action_id')}: build ${textIn(membersOf(body.about), 'id')}`;
}
