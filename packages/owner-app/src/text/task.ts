/** The mark before a line of the list of tasks. */
export const MARKS = {
  /** A task that stops its session. */
  stops: '!',
  /** A task that does not stop its session. */
  runs: '-',
  /** The absent agents of a session that stops until the owner invites one of them. */
  locked: 'x',
  /** The absent agents of any other session. */
  absent: '~',
  /** A task of a draft or paused session. */
  parked: '=',
} as const;

/** The members of a task of the owner that its short description needs. */
export interface Task {
  readonly kind: string;
  readonly record: { readonly type: string; readonly id: string };
}

/**
 * Describes a task of the owner briefly, such as `Approve r_5`.
 *
 * @param nameOf returns the name of an agent in its session
 */
export function taskOf({ kind, record }: Task, nameOf = (role: string): string => role): string {
  const task = taskName(kind);
  if (record.type === 'session' || record.type === 'manifest') return task;
  return `${task} ${record.type === 'agent' ? nameOf(record.id) : record.id}`;
}

/** The words of a kind of task, without the record. */
export const taskName = (kind: string): string => TASKS[kind] ?? 'Look at';

const TASKS: Readonly<Record<string, string>> = {
  AGENT_ABSENT: 'Check on',
  ROUNDS_USED: 'Add rounds',
  START: 'Start',
  RESUME: 'Resume',
  QUESTION: 'Answer',
  RECOMMENDATION: 'Answer',
  BLOCKER: 'Unblock',
  DISPUTE: 'Decide on',
  ANSWER: 'Decide who fixes',
  APPROVAL: 'Approve',
  HOLD: 'Decide on',
  BUILD: 'Authorize the build',
  REPORTED_BLOCKED: 'Unblock',
  STUCK: 'Unblock',
  CARRY: 'Carry over or rerun',
  DEPLOYMENT: 'Authorize the deployment',
  ACTIVATION: 'Authorize the activation',
  RELEASE: 'Release',
  END: 'End',
  QUOTA_LOW: 'Check the quota of',
  QUOTA_EXHAUSTED: 'Raise the quota of',
  LOG_BROKEN: 'Verify the log',
};
