import { waitsToSettle } from '../../../../src/text/inbox.ts';
import { recordPath } from '../../../../src/text/record-address.ts';
import { taskOf } from '../../../../src/text/task.ts';
import { visibleLine } from '../../../../src/text/visible.ts';
import type { Glance, OwnerWait, SessionView } from '../../api/types.ts';
import { type Tab, tabOfRecord, toSession } from '../../state/route.ts';

/** For each kind of task: the tab on which the owner completes it. */
const TASK_TABS: Readonly<Record<string, Tab>> = {
  START: 'people',
  RESUME: 'transcript',
  LOG_BROKEN: 'log',
  AGENT_ABSENT: 'people',
  RECOMMENDATION: 'people',
  QUOTA_LOW: 'people',
  QUOTA_EXHAUSTED: 'people',
  QUESTION: 'transcript',
  ROUNDS_USED: 'transcript',
  END: 'transcript',
  APPROVAL: 'contract',
  BLOCKER: 'contract',
  DISPUTE: 'contract',
  ANSWER: 'verify',
  HOLD: 'contract',
  REPORTED_BLOCKED: 'contract',
  BUILD: 'contract',
  DEPLOYMENT: 'verify',
  ACTIVATION: 'verify',
  RELEASE: 'verify',
  STUCK: 'verify',
  CARRY: 'verify',
};

/** For some kinds of tasks: the fragment of the address. It names the element to which the page scrolls. */
const FRAGMENTS: Readonly<Record<string, string>> = {
  APPROVAL: '#authorize-approval',
  BUILD: '#authorize-build',
  REPORTED_BLOCKED: '#section-reports',
  DEPLOYMENT: '#authorize-deployment',
  ACTIVATION: '#authorize-activation',
  RELEASE: '#authorize-release',
};

/**
 * Whether the text of a task is shown. If an agent's words are shown, the text is left out, except for a hold, a
 * dispute and an answer: only their text says what the owner can do.
 */
export const isTextShown = ({ kind, said }: Pick<OwnerWait, 'kind' | 'said'>): boolean =>
  !said || kind === 'HOLD' || kind === 'DISPUTE' || kind === 'ANSWER';

/** The address for a task: of its record or, if no tab shows this record, of the tab for this kind of task. */
export const addressOf = (sessionId: string, { kind, record }: Pick<OwnerWait, 'kind' | 'record'>): string =>
  (tabOfRecord(record.id) ? recordPath(sessionId, record.id) : toSession(sessionId, TASK_TABS[kind])) +
  (FRAGMENTS[kind] ?? '');

export const statusTone = (status: Glance['status']): 'plain' | 'good' | 'warn' | 'live' =>
  (({ DRAFT: 'warn', ACTIVE: 'live', PAUSED: 'warn', ENDED: 'plain' }) as const)[status];

/**
 * Makes the title of a session's page: the owner's first task, otherwise the phase or status, and then the title of the
 * session.
 */
export function sessionTitle(view: Pick<SessionView, 'waits' | 'movers' | 'state' | 'title'>): string {
  const { state, title } = view;
  const [first] = waitsToSettle(view);
  const now = first ? taskOf(first) : state.status === 'ACTIVE' ? state.phase : state.status;
  return `${now} · ${visibleLine(title)}`;
}
