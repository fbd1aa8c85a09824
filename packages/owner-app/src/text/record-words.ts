import type { Answer } from '@parley/core/client';
import { plural } from '@parley/core/text';

/** For each step that only an approver can take, the words before the names of the approvers. */
export const APPROVED_BY = {
  approval: 'Contract approved by',
  build: 'Build authorized by',
  deployment: 'Deployment authorized by',
  activation: 'Activation authorized by',
  release: 'Released by',
} as const;

/** Says whose approvals do not count. Empty without names. */
export const lapsedText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; the approval of ${names.join(' and ')} does not count any more`;

/** A defect that still stands, as the owner decides about it. */
interface StandingDefect {
  readonly status: string;
  readonly assignedTo: string;
}

/** What follows from each decision of the owner about a defect. */
interface DefectChoices {
  readonly leave: string;
  readonly give: string;
  readonly waive: string;
}

/** The agent to which the owner can assign a defect instead of its assignee. */
export const otherAgent = (role: string): 'agent_a' | 'agent_b' => (role === 'agent_a' ? 'agent_b' : 'agent_a');

/**
 * What follows if the owner leaves a defect with its assignee, gives it to the other agent, or waives it. If the defect
 * is marked as fixed, the next run of its scenario decides, whoever is the assignee.
 */
export function defectChoices({ status, assignedTo }: StandingDefect, nameOf: (role: string) => string): DefectChoices {
  const [own, other] = [nameOf(assignedTo), nameOf(otherAgent(assignedTo))];
  const rerun = (name: string) => `The scenario runs again; if it fails, ${name} has to fix the defect.`;
  const isFixed = status === 'FIXED';
  return {
    leave: isFixed ? `It is marked as fixed. ${rerun(own)}` : `${own} has to fix it.`,
    give: isFixed ? `It stays marked as fixed. ${rerun(other)}` : `${other} has to fix it instead of ${own}.`,
    waive: 'Nobody has to fix it. The scenario can run again, and still has to pass.',
  };
}

/** What a fix costs. The cost is the same for both agents, because a new commit of either makes all passes stale. */
export const COST_OF_FIX =
  'A fix needs a new commit, of whichever agent. A new commit makes every pass so far stale, so that its scenario has to pass again, and cancels the authorizations of the deployment and the activation.';

/** The line above the list of hits: `16 hits so far. Older sessions remain.` */
export function hitsText(hits: number, isComplete: boolean): string {
  if (hits === 0) return isComplete ? 'No session contains these words.' : 'No hits so far. Older sessions remain.';
  return isComplete ? `${plural(hits, 'hit')}.` : `${plural(hits, 'hit')} so far. Older sessions remain.`;
}

/**
 * What a hit names: the id of a record, or the number of a message, such as `#55`, if the text is not part of a record
 * that can be opened. A request of the owner for changes is a message, because only agents write revisions.
 *
 * @param canOpen whether a record with this id can be opened
 */
export function hitPlace({ seq, from, record: { type, id } }: PlacedHit, canOpen: boolean): HitPlace {
  const isRequest = type === 'revision' && from === 'owner';
  return isRequest || !canOpen
    ? { message: seq, text: `#${seq}${isRequest ? `, request on ${id}` : ''}` }
    : { message: null, text: id };
}

interface PlacedHit {
  readonly seq: number;
  readonly from: string;
  readonly record: { readonly type: string; readonly id: string };
}

interface HitPlace {
  /** The number of the message that is opened. Null if the record is opened. */
  readonly message: number | null;
  readonly text: string;
}

/** The present status of the record of a hit: `superseded by d_2`, `resolved`. Empty if the hit has no status. */
export const standingText = ({
  status = '',
  superseded_by = '',
}: {
  status?: string | undefined;
  superseded_by?: string | undefined;
}): string => (superseded_by === '' ? status.toLowerCase() : `superseded by ${superseded_by}`);

type Level = NonNullable<Answer<'board'>['certification']['level']>;

/** What evidence of a level is, in a few words. */
export const LEVEL_TEXTS: Readonly<Record<Level, string>> = {
  claimed: 'claimed: written by the agents',
  recorded: 'recorded: a run that the agent sent',
  ci: 'ci: a run that a workflow sent',
};

/** The level of an item of evidence with this run. An item without a run is what an agent has written. */
export function levelOfRun(run: { readonly not_recorded?: unknown; readonly workflow?: unknown } | undefined): Level {
  if (!run || run.not_recorded !== undefined) return 'claimed';
  return run.workflow === undefined ? 'recorded' : 'ci';
}
