import { z } from 'zod';
import { LEFT_OUT, type LeftOut } from '../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../kernel/operation/json-schema.ts';
import type { Role } from '../kernel/roles.ts';
import type { ACTION_TYPES } from './actions/events.ts';
import { ActionId, ActorName } from './fields.ts';

/** The codes of the tasks that stop certification, as `list_blockers` names them. */
export const BLOCKER_CODES = [
  'NOT_STARTED',
  'NO_CONTRACT_AUTHOR',
  'DECISION_OPEN',
  'QUESTION_UNANSWERED',
  'INTERVENTION_UNANSWERED',
  'DIRECTIVE_UNACKNOWLEDGED',
  'NO_REVISION',
  'CHANGES_REQUESTED',
  'VALIDATION_ERROR',
  'FINDING_UNANSWERED',
  'FINDING_UNRESOLVED',
  'HOLD_ACTIVE',
  'PREFLIGHT_MISSING',
  'PREFLIGHT_INCOMPLETE',
  'PREFLIGHT_DANGLING',
  'REVIEW_MISSING',
  'REVIEW_REQUESTS_CHANGES',
  'MODERATOR_REVIEW_REQUESTS_CHANGES',
] as const;

/** What somebody has to do. A task that opens an action has the code of the type of the action. */
type TaskCode =
  | (typeof ACTION_TYPES)[number]
  | 'WAIT'
  | 'READ_EVENTS'
  | 'START'
  | 'ANSWER_QUESTION'
  | 'ANSWER_INTERVENTION'
  | 'POST_TURN'
  | 'ACCEPT_DECISION'
  | 'NOMINATE'
  | 'WRITE_CONTRACT'
  | 'REVISE_CONTRACT'
  | 'CORRECT_CONTRACT'
  | 'MAP_REQUIREMENTS'
  | 'CLOSE_FINDING'
  | 'RELEASE_HOLD'
  | 'GIVE_VERDICT'
  | 'CARRY_PASS'
  | 'GIVE_EVIDENCE'
  | 'START_ATTEMPT'
  | 'RUN_GATE';

interface RecordId {
  readonly type: string;
  readonly id: string;
}

/** The call that settles a task, or a part of it. The reader replaces each `<...>` in the payload. */
interface Settling {
  readonly tool?: string | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
}

/** Why a task stops certification, and what to do, in the words of `list_blockers`. */
interface Stopping {
  readonly code: (typeof BLOCKER_CODES)[number];
  readonly record: RecordId;
  readonly message: string;
  readonly text: string;
  /** Who must act first. */
  readonly waits_for?: Role | undefined;
}

/**
 * Something that a role has to do. All lists of open work are filters of the tasks: the instruction, `verify_next`, the
 * actions, the blockers, and what ends a wait. The texts contain codes and ids; a text of an agent or of the owner stands in `said` alone.
 */
export interface Task extends Settling {
  /** Stays the same as long as the task is due: the code, the role, and the record or event that caused the task. */
  readonly key: string;
  readonly code: TaskCode;
  readonly due_to: Role;
  readonly record: RecordId;
  /** What to do, in words for the role. */
  readonly text: string;
  /** The action that is open while the task is due. Absent if the task opens none. */
  readonly action?: Settling & { readonly text: string; readonly about?: RecordId };
  /** Present if the task stops certification. */
  readonly stops?: Stopping;
  /** Whether the role has acknowledged the task. It then comes after the work of the phase. */
  readonly isBegun?: boolean;
  /** Id of the action that records the task. */
  readonly action_id?: string;
  readonly scenario_id?: string;
  /** Whether the builder has to build before the call. */
  readonly isBuilding?: boolean;
  /** Id of the defect that the builder must fix before the call. The call itself does not name the defect. */
  readonly fixes?: string;
  readonly other_address?: string | undefined;
  /** The question or directive to answer. */
  readonly said?: z.output<typeof Said>;
  /** The evidence to judge. */
  readonly given?: readonly Readonly<Record<string, unknown>>[];
  /** The evidence to judge that `given` leaves out. */
  readonly left_out?: LeftOut;
  /** Whether the reader has seen the task as it is, by the cursor that it named. */
  readonly isSeen?: boolean;
}

/** A task that opens no action, so that an append need not compute it. */
export type QuietTask = Task & { readonly action?: never };

/**
 * What every task has: its key, and what the key is made of.
 *
 * @param more tells tasks about the same record apart
 */
export const about = <R extends Role>(code: TaskCode, due_to: R, record: RecordId, more?: string | number) => ({
  key: `${code} ${due_to} ${record.id}${more === undefined ? '' : ` ${more}`}`,
  code,
  due_to,
  record,
});

/** The task to wait, with the reason. It is due if nothing else is. */
export const waiting = (due_to: Role, tool: string | undefined, text: string): Task => ({
  ...about('WAIT', due_to, { type: 'agent', id: due_to }),
  tool,
  text,
});

export const isWaiting = ({ code }: Task): boolean => code === 'WAIT';

export const OtherAddress = z.string().optional().describe("Address of the other builder's service, as declared.");

/** Evidence of the other builder. The documents have its members. */
export const GivenToJudge = z.array(z.record(z.string(), z.unknown()));

const Said = z.strictObject({ from: ActorName, text: z.string() });

/** What a builder judges, as an item of a list of calls shows it. */
export const judgedIn = ({ given, left_out }: Pick<Task, 'given' | 'left_out'>) => ({
  ...(given && { given: given.map((item) => ({ ...item })) }),
  ...(left_out && { left_out }),
});

/** A call that a builder must or can make next. `reason` contains codes and ids, but no text of an agent. */
export const NextItemView = namedObject('NextItem', {
  priority: z.int().describe('1 is first.'),
  tool: z.string(),
  route: z.string(),
  payload: z.record(z.string(), z.unknown()).describe('Ready to be sent; replace each <...>.'),
  reason: z.string(),
  scenario_id: z.string().optional(),
  other_address: OtherAddress,
  said: Said.optional().describe('The question or directive to answer.'),
  given: GivenToJudge.optional(),
  ...LEFT_OUT,
});

/** A call of {@link NextItemView} in a state view, without what another member of the view says. */
export const DueView = NextItemView.omit({ priority: true, said: true })
  .partial()
  .required({ tool: true })
  .extend({ action_id: ActionId.optional().describe('The action that has route, payload and text of the call.') });
documented.add(DueView, { id: 'Due' });

/** The next tool to call, and why. Contains codes and ids, but no text of an agent. */
export const Instruction = namedObject('Instruction', {
  tool: z.string().nullable(),
  route: z.string().optional(),
  text: z.string(),
});
