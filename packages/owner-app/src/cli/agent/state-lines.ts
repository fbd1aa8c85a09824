import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';

/** The tools that an instruction names if the agent can only wait. */
const WAITS = ['wait_for_my_turn', 'wait_for_activity'];

/** Whether the instruction of a state names a tool that does more than wait. */
export function hasStep(state: Members): boolean {
  const tool = textIn(membersOf(state.instruction), 'tool');
  return tool !== '' && !WAITS.includes(tool);
}

/** The most characters of an instruction: it is an argument of the client that `parley run` starts. */
const MOST_CHARS = 10_000;

function instructionLine({ instruction }: Members): string {
  const { tool, text } = membersOf(instruction);
  const words = typeof tool === 'string' ? `${tool}: ${String(text ?? '')}` : String(text ?? '');
  return visibleLine(words).slice(0, MOST_CHARS);
}

/** A key that changes if the cursor or the instruction of the state changes. */
export const stepKey = (state: Members): string => `${numberIn(state, 'cursor')} ${instructionLine(state)}`;

/** The members of a state that list work for the agent, each with its name in the output. */
const LISTS = [
  ['open_questions', 'open questions of the other agent'],
  ['owner_directives', 'directives of the owner'],
  ['open_interventions', 'open interventions (of the owner or the moderator)'],
  ['pending_actions', 'pending actions'],
] as const;

/**
 * The lines that describe a state to its agent: role, status, phase, round, next call, counts of open records, and
 * cursor.
 */
export function stateLines(state: Members): string[] {
  const open = LISTS.map(([member, what]) => [recordsIn(state, member).length, what] as const).filter(
    ([count]) => count > 0,
  );
  return [
    visibleLine(
      `${textIn(state, 'your_role')}: ${textIn(state, 'status')} in ${textIn(state, 'phase')}, round ${numberIn(state, 'round')} of ${numberIn(state, 'round_limit')}`,
    ).slice(0, MOST_CHARS),
    `Next: ${instructionLine(state)}`,
    ...(open.length > 0 ? [`Open: ${open.map(([count, what]) => `${count} ${what}`).join(', ')}`] : []),
    `Cursor: ${numberIn(state, 'cursor')}`,
  ];
}
