import type { InboxSession, TimedSession, WrittenSession } from '../../text/inbox.ts';
import type { ActingSession } from '../../text/next-steps.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';

/** The summary of a session with the members by which `inboxOf` sorts sessions. */
export type Summary = Members & InboxSession;
/** A summary with the members that say who must act next, and what the tasks are. */
export type MovingSummary = Members &
  Omit<InboxSession & ActingSession & TimedSession & WrittenSession, 'waits'> & {
    readonly waits: readonly (InboxSession['waits'][number] & ActingSession['waits'][number])[];
  };

/** Converts a session in the answer of `overview` or `inbox` to a summary. */
export const summaryOf = (session: Members): MovingSummary => ({
  ...session,
  status: textIn(session, 'status'),
  created_at: textIn(session, 'created_at'),
  updated_at: textIn(session, 'updated_at'),
  movers: textsIn(session, 'movers'),
  since: textIn(session, 'since') || null,
  duties: recordsIn(session, 'duties').map((duty) => ({
    role: textIn(duty, 'role'),
    text: textIn(duty, 'text'),
    since: textIn(duty, 'since') || undefined,
  })),
  agents: recordsIn(session, 'agents').map((agent) => ({
    ...agent,
    role: textIn(agent, 'role'),
    wrote_at: textIn(agent, 'wrote_at') || undefined,
  })),
  ...(session.left_out !== undefined && { left_out: leftOutOf(session) }),
  waits: recordsIn(session, 'waits').map((wait) => ({
    ...wait,
    kind: textIn(wait, 'kind'),
    blocking: wait.blocking === true,
    since: textIn(wait, 'since') || undefined,
    record: recordOf(membersOf(wait.record)),
  })),
});

/** Converts the view of a session to a summary. `left_out` of a view counts records of all lists, so it is removed. */
export const summaryOfView = ({ left_out: _all, ...view }: Members): MovingSummary =>
  summaryOf({ ...view, status: textIn(membersOf(view.state), 'status') });

const recordOf = (record: Members) => ({ ...record, type: textIn(record, 'type'), id: textIn(record, 'id') });

const leftOutOf = (session: Members) => {
  const leftOut = membersOf(session.left_out);
  return { ...leftOut, count: numberIn(leftOut, 'count') };
};
