import type { EventBody } from '@parley/core/client';
import type { Voice } from './event-text.ts';

type Settled = EventBody<'action.settled'>;

/** What an action asks the agent to do, by the type of the action. */
const ACTION_WORDS: Readonly<Record<Settled['type'], string>> = {
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
export const actionIn = ({ action_id, type }: EventBody<'action.completed'>): string =>
  type ? `${action_id}: ${ACTION_WORDS[type] ?? type}` : action_id;

/** The heading of the event `action.settled`. */
export const settledHeading = (body: Settled, say: Voice): string =>
  `${say('completes', 'complete')} ${body.type === 'BUILD_TASK' ? `${body.action_id}: build ${body.about?.id ?? ''}` : actionIn(body)}`;
