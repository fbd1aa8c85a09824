import { namedText } from './agent.ts';
import { countedWaits, countToSettle, mostUrgentFirst, whoseMove } from './inbox.ts';
import { shortened } from './records/first-words.ts';
import { type Task, taskOf } from './task.ts';

/** The members of a session that say who must act next. */
export interface ActingSession<Role extends string = string> {
  readonly status: string;
  readonly movers: readonly Role[];
  readonly waits: readonly (Task & { readonly blocking: boolean; readonly text?: string | undefined })[];
  /** What each agent in `movers` has to do. Older services do not send this member in lists of sessions. */
  readonly duties?: readonly { readonly role: string; readonly text: string }[] | undefined;
  readonly left_out?: { readonly count: number } | undefined;
}

interface NextStep<Role extends string> {
  readonly role: Role | 'owner';
  /** For the owner the tasks, such as `Approve r_2`; for an agent its duty. Empty if the duty is not known. */
  readonly text: string;
}

type NameOf = (role: string) => string;

/** The members of the view of a session. Its `left_out` counts records of all lists, so it is not copied. */
export const actingIn = <Role extends string>({
  state: { status },
  movers,
  waits,
  duties,
}: Omit<ActingSession<Role>, 'status' | 'left_out'> & { readonly state: { readonly status: string } }) => ({
  status,
  movers,
  waits,
  duties,
});

/**
 * The next step of each role that `whoseMove` returns.
 *
 * @param maxTasks maximum number of the owner's tasks that are named. Further tasks are only counted
 */
export const nextSteps = <Role extends string>(
  session: ActingSession<Role>,
  nameOf: NameOf,
  maxTasks: number,
): NextStep<Role>[] =>
  whoseMove(session).map((role) => ({
    role,
    text: role === 'owner' ? tasksText(session, nameOf, maxTasks) : dutyText(session, role, nameOf),
  }));

/** The owner's tasks as `Approve r_2, Answer q_4 and 2 more`. */
function tasksText(session: ActingSession, nameOf: NameOf, maxTasks: number): string {
  const tasks = mostUrgentFirst(countedWaits(session)).map((wait) => taskOf(wait, nameOf));
  const more = countToSettle(session) - maxTasks;
  return `${tasks.slice(0, maxTasks).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const dutyText = ({ duties = [] }: ActingSession, role: string, nameOf: NameOf): string =>
  namedText(duties.find((duty) => duty.role === role)?.text ?? '', nameOf);

/** A step with the name of its role: `Shop agent (agent_a): answer f_3`. */
export const stepText = ({ role, text }: NextStep<string>, nameOf: NameOf): string =>
  text === '' ? nameOf(role) : `${nameOf(role)}: ${text}`;

/** Maximum number of characters of a step in `nextSentences`. */
const MAX_STEP_CHARS = 160;

/**
 * The next steps as sentences: `Next: you: Approve r_2. Shop agent (agent_a): answer f_3.` Names one task of the owner.
 * For an absent agent, says why it does not take its step and what the owner can do: `Shop agent (agent_a) has no access,
 * because its token was revoked: invite it again.`
 */
export function nextSentences(session: ActingSession, nameOf: NameOf): string {
  const steps = nextSteps(session, nameOf, 1).map(
    ({ role, text }) =>
      absenceText(session, role, nameOf) ??
      stepText({ role, text: shortened(text.replace(/\s+/g, ' ').trim(), MAX_STEP_CHARS) }, nameOf),
  );
  return `Next: ${(steps.length > 0 ? steps : [nobodyText(session.status)]).map(asSentence).join(' ')}`;
}

/** The owner's task about the absence of an agent that has a step to take. Undefined if the agent is not absent. */
function absenceText({ waits }: Pick<ActingSession, 'waits'>, role: string, nameOf: NameOf): string | undefined {
  const absence = waits.find(({ kind, record, blocking }) => kind === 'AGENT_ABSENT' && blocking && record.id === role);
  return absence?.text && namedText(absence.text, nameOf);
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const UNTIL: Readonly<Record<string, string>> = {
  DRAFT: ', until you start the session',
  PAUSED: ', until you resume the session',
  ENDED: ', the session has ended',
};

/** The text for a session in which no role must act: `nobody, until you resume the session`. */
export const nobodyText = (status: string): string => `nobody${UNTIL[status] ?? ''}`;
