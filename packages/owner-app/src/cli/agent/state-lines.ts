import { visibleLine } from '../../text/visible.ts';
import type { AgentState } from './wait-for-state.ts';

/** The tools that an instruction names if the agent can only wait. */
const WAITS = ['wait_for_my_turn', 'wait_for_activity'];

/** Whether the instruction of a state names a tool that does more than wait. */
export const hasStep = ({ instruction: { tool } }: AgentState): boolean => tool !== null && !WAITS.includes(tool);

/** The most characters of an instruction: it is an argument of the client that `parley run` starts. */
const MOST_CHARS = 10_000;

const instructionLine = ({ instruction: { tool, text } }: AgentState): string =>
  visibleLine(tool === null ? text : `${tool}: ${text}`).slice(0, MOST_CHARS);

/** A key that changes if the cursor or the instruction of the state changes. */
export const stepKey = (state: AgentState): string => `${state.cursor} ${instructionLine(state)}`;

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
export function stateLines(state: AgentState): string[] {
  const open = LISTS.map(([member, what]) => [state[member]?.length ?? 0, what] as const).filter(
    ([count]) => count > 0,
  );
  return [
    visibleLine(
      `${state.your_role}: ${state.status} in ${state.phase}, round ${state.round} of ${state.round_limit}`,
    ).slice(0, MOST_CHARS),
    `Next: ${instructionLine(state)}`,
    ...(open.length > 0 ? [`Open: ${open.map(([count, what]) => `${count} ${what}`).join(', ')}`] : []),
    `Cursor: ${state.cursor}`,
  ];
}
