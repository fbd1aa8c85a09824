import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';

/** The tools by which an instruction says that there is nothing to do. */
const WAITS = ['wait_for_my_turn', 'wait_for_activity'];

/** Whether the instruction of a state names a call other than to wait. */
export function hasStep(state: Members): boolean {
  const tool = textIn(membersOf(state.instruction), 'tool');
  return tool !== '' && !WAITS.includes(tool);
}

/** The instruction of a state as one line. */
function instructionLine({ instruction }: Members): string {
  const { tool, text } = membersOf(instruction);
  const words = visibleLine(String(text ?? ''));
  return typeof tool === 'string' ? `${tool}: ${words}` : words;
}

/** Differs between two states if the session moved on for the agent, or if its next step is another one. */
export const stepKey = (state: Members): string => `${numberIn(state, 'cursor')} ${instructionLine(state)}`;

/** Lists of the state view that an agent has to work off, as the lines name them. */
const LISTS = [
  ['open_questions', 'open questions to you'],
  ['owner_directives', 'directives of the owner'],
  ['open_interventions', 'questions and directives to you'],
  ['pending_actions', 'pending actions'],
] as const;

/** The lines about a state for its agent: status and phase, the next call, open records, and the cursor. */
export function stateLines(state: Members): string[] {
  const open = LISTS.map(([member, what]) => [recordsIn(state, member).length, what] as const).filter(
    ([count]) => count > 0,
  );
  return [
    `${textIn(state, 'your_role')}: ${textIn(state, 'status')} in ${textIn(state, 'phase')}, round ${numberIn(state, 'round')} of ${numberIn(state, 'round_limit')}`,
    `Next: ${instructionLine(state)}`,
    ...(open.length > 0 ? [`Open: ${open.map(([count, what]) => `${count} ${what}`).join(', ')}`] : []),
    `Cursor: ${numberIn(state, 'cursor')}`,
  ];
}
