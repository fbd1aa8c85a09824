import { taskName } from '../../../../src/text/inbox.ts';
import type { BriefAnswer, OwnerWait, SessionView } from '../../api/answers.ts';
import { useCall } from '../../ui/requests.tsx';

/** For each of the owner's steps with a brief, the kind of the task that waits for the owner. */
export const WAITS = {
  approval: 'APPROVAL',
  build: 'BUILD',
  deployment: 'DEPLOYMENT',
  activation: 'ACTIVATION',
  release: 'RELEASE',
} as const;

export type Stage = keyof typeof WAITS;

const STAGES = ['approval', 'build', 'deployment', 'activation', 'release'] as const satisfies readonly Stage[];

/** A step that the owner authorizes. */
export type Authorized = Exclude<Stage, 'approval'>;

/** What the owner does in a step, such as `Authorize the build`. */
export const stepName = (stage: Stage): string => taskName(WAITS[stage]);

/** The step for which a task waits. Undefined if the task is none of these steps. */
export const stepOf = (kind: string): Stage | undefined => STAGES.find((stage) => WAITS[stage] === kind);

/**
 * Whether the owner may authorize the build with the approval, and decides deployment, activation and end at once: in
 * sessions of the profile light.
 */
export const hasFewSteps = ({ profile }: Pick<SessionView, 'profile'>): boolean => profile === 'light';

/**
 * The step that the page of the session shows with its brief, in a session with few steps. Undefined if a task is no
 * such step, and in other sessions, where a dialog shows the brief.
 */
export const decisionOf = (view: Pick<SessionView, 'profile'>, kind: string): Stage | undefined =>
  hasFewSteps(view) ? stepOf(kind) : undefined;

/** Whether the page shows the step with its brief now. The tabs then have no button for the step. */
export const isShownDecision = (view: Pick<SessionView, 'profile' | 'waits'>, stage: Stage): boolean =>
  view.waits.some(({ kind }) => kind === WAITS[stage] && decisionOf(view, kind) === stage);

/**
 * Reads the brief of the approval, if the task is an approval. Null for any other task, until the brief is loaded, and if
 * loading fails.
 *
 * @param version a number that changes when the session changes
 */
export const useApprovalBrief = (sessionId: string, { kind }: OwnerWait, version: number): BriefAnswer | null =>
  useCall('brief', kind === 'APPROVAL' ? { session_id: sessionId, stage: 'approval' } : null, version).value;
