/**
 * The kinds of the owner's tasks, and what is fixed for each kind. The tasks are made in this folder; their notices, the command
 * line and the console take names, places and alternatives from here.
 */

export const WAIT_KINDS = [
  'START',
  'RESUME',
  'AGENT_ABSENT',
  'QUESTION',
  'RECOMMENDATION',
  'ROUNDS_USED',
  'BLOCKER',
  'DISPUTE',
  'ANSWER',
  'APPROVAL',
  'HOLD',
  'BUILD',
  'REPORTED_BLOCKED',
  'STUCK',
  'CARRY',
  'DEPLOYMENT',
  'ACTIVATION',
  'RELEASE',
  'END',
  'QUOTA_LOW',
  'QUOTA_EXHAUSTED',
  'LOG_BROKEN',
] as const;

export type WaitKind = (typeof WAIT_KINDS)[number];

/** Where the owner is offered an alternative. */
type Offering = 'command line' | 'console';

/** An operation that the owner can call instead of the operation of a task. */
interface Alternative {
  readonly operation: string;
  /** Members of the task's payload that the call has too. If there are none, the call is not about the record of the task. */
  readonly takes?: readonly string[];
  /** The operation of the tasks that have the alternative. Default: each. */
  readonly besides?: string;
  /** Default: both. */
  readonly only?: Offering;
}

interface WaitFacts {
  /** What the owner has to do, without the record: `Approve`. */
  readonly name: string;
  /** The tab of the session's page in the console on which the owner completes the task. */
  readonly tab: 'transcript' | 'contract' | 'verify' | 'people' | 'log';
  /** Id of the element of this tab to which the page scrolls. */
  readonly element?: string;
  /** Label of the link to what the owner should read before. Default: no link. */
  readonly reading?: string;
  /** What happened at `since`. Default: the task began to wait. */
  readonly began?: string;
  /** Whether the text of the task is shown beside the words of an agent, because only the text says what the owner can do. */
  readonly isAdvice?: true;
  /** Whether the owner may leave the task as it is, if it does not block. */
  readonly canStand?: true;
  /** Which tasks cause a notice. Default: all. */
  readonly notice?: 'blocking' | 'none';
  /** Which tasks cause a notice again when they wait again. Default: all. */
  readonly noticeAgain?: 'blocking' | 'none';
  readonly instead?: readonly Alternative[];
}

const REQUEST_CHANGES: Alternative = { operation: 'requestChanges' };
const REFUSE: Alternative = { operation: 'refuseStep', takes: ['stage'], only: 'command line' };
const WAIVE: Alternative = { operation: 'waiveDefect', takes: ['defect_id'], besides: 'reassignDefect' };

/** The facts of each kind. The owner expects to start, resume and end a session, so these tasks cause no notice. */
export const WAIT_FACTS: Readonly<Record<WaitKind, WaitFacts>> = {
  START: { name: 'Start', tab: 'people', began: 'Created', notice: 'none' },
  RESUME: { name: 'Resume', tab: 'transcript', began: 'Paused', notice: 'none' },
  // `areas/notices` decides about the notices of absent agents.
  AGENT_ABSENT: { name: 'Check on', tab: 'people', canStand: true, notice: 'none' },
  QUESTION: { name: 'Answer', tab: 'transcript', reading: 'Read it', notice: 'blocking', noticeAgain: 'none' },
  RECOMMENDATION: { name: 'Answer', tab: 'people', reading: 'Read it', noticeAgain: 'none' },
  ROUNDS_USED: {
    name: 'Add rounds',
    tab: 'transcript',
    canStand: true,
    instead: [{ operation: 'appointAuthor', besides: 'extendRounds', only: 'console' }],
  },
  BLOCKER: { name: 'Unblock', tab: 'contract', reading: 'Read it', canStand: true },
  DISPUTE: {
    name: 'Decide on',
    tab: 'contract',
    reading: 'Read it',
    isAdvice: true,
    canStand: true,
    notice: 'blocking',
    instead: [WAIVE],
  },
  ANSWER: {
    name: 'Decide who fixes',
    tab: 'verify',
    reading: 'Read it',
    isAdvice: true,
    canStand: true,
    notice: 'blocking',
    instead: [WAIVE],
  },
  APPROVAL: {
    name: 'Approve',
    tab: 'contract',
    element: 'authorize-approval',
    reading: 'Read it',
    instead: [REQUEST_CHANGES],
  },
  HOLD: {
    name: 'Decide on',
    tab: 'contract',
    reading: 'Read it',
    isAdvice: true,
    canStand: true,
    noticeAgain: 'blocking',
  },
  BUILD: {
    name: 'Authorize the build',
    tab: 'contract',
    element: 'authorize-build',
    reading: 'Read it',
    instead: [REQUEST_CHANGES],
  },
  REPORTED_BLOCKED: {
    name: 'Unblock',
    tab: 'contract',
    element: 'section-reports',
    reading: 'Read the readiness reports',
  },
  STUCK: { name: 'Unblock', tab: 'verify', reading: 'Read the test board' },
  CARRY: { name: 'Carry over or rerun', tab: 'verify', reading: 'Read the test board' },
  DEPLOYMENT: {
    name: 'Authorize the deployment',
    tab: 'verify',
    element: 'authorize-deployment',
    reading: 'Read the test board',
    instead: [REFUSE, REQUEST_CHANGES],
  },
  ACTIVATION: {
    name: 'Authorize the activation',
    tab: 'verify',
    element: 'authorize-activation',
    reading: 'Read the test board',
    instead: [REFUSE, { ...REQUEST_CHANGES, only: 'command line' }],
  },
  RELEASE: {
    name: 'Release',
    tab: 'verify',
    element: 'authorize-release',
    reading: 'Read the test board',
    instead: [REFUSE, REQUEST_CHANGES],
  },
  END: { name: 'End', tab: 'transcript', notice: 'none' },
  QUOTA_LOW: { name: 'Check the quota of', tab: 'people', canStand: true },
  QUOTA_EXHAUSTED: { name: 'Raise the quota of', tab: 'people', canStand: true },
  LOG_BROKEN: { name: 'Verify the log', tab: 'log', reading: 'Open the log' },
};

const FACTS: ReadonlyMap<string, WaitFacts> = new Map(Object.entries(WAIT_FACTS));

/** The facts of a kind. Undefined for a kind of a later version of the service. */
export const factsOf = (kind: string): WaitFacts | undefined => FACTS.get(kind);

interface Settled {
  readonly kind: string;
  readonly operation: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What the owner can do instead of the operation of a task: operations with the known members of their input. */
export const insteadOf = ({ kind, operation, payload }: Settled, offering: Offering) =>
  (factsOf(kind)?.instead ?? [])
    .filter(({ besides = operation, only = offering }) => besides === operation && only === offering)
    .map(({ operation: other, takes = [] }) => ({
      operation: other,
      payload: Object.fromEntries(takes.map((member) => [member, payload[member]])),
    }));
