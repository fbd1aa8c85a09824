import { agentName, hindranceOf } from '../../../text/agent.ts';
import { absentRoles } from '../../../text/inbox.ts';
import { nextSteps, stepText } from '../../../text/next-steps.ts';
import { shortenText, textWidth } from '../../../text/width.ts';
import type { OverviewSession } from '../../client/all-sessions.ts';

const roleWord = (role: string): string => agentName(role, undefined);

/** Minimum width of a shortened step, in columns. Of several steps, each has to be readable. */
const MIN_STEP_COLUMNS = { one: 6, several: 20 } as const;

interface Step {
  readonly role: string;
  readonly text: string;
  /** Why the agent does not take the step, such as `silent`. Undefined for the owner and for an agent that acts. */
  readonly mark: string | undefined;
}

/**
 * Who must act next, and what: `you: Approve r_2; agent_a: answer f_3 (silent)`. An agent that does not take its step is
 * marked. Empty if nobody must act.
 *
 * @param columns maximum width. To fit it, the steps are shortened, then the last steps are only counted with the
 * marks that no shown step has, as `+2, 1 silent`, then the text of the first step is left out; its mark is not cut off
 */
export function nextCell(session: OverviewSession, nowMs: number, columns: number): string {
  const reported = absentRoles(session);
  const marks = new Map<string, Step['mark']>(
    session.agents.map((agent) => [agent.role, hindranceOf(agent, nowMs, reported.includes(agent.role))]),
  );
  const steps = nextSteps(session, roleWord, 1).map(({ role, text }) => ({ role, text, mark: marks.get(role) }));
  return fitted(steps, columns);
}

/** Whether a cell counts steps that it does not show. */
export const countsSteps = (cell: string): boolean => / \+\d+(, \d+ [a-z ,\d]+)?$/.test(cell);

/** @param left further steps, which are only counted */
function fitted(steps: readonly Step[], columns: number, left: readonly Step[] = []): string {
  const textAt = (width: number): string =>
    steps
      .map(
        ({ role, text, mark }) =>
          `${stepText({ role, text: width > 0 ? shortenText(text, width) : '' }, roleWord)}${mark ? ` (${mark})` : ''}`,
      )
      .join('; ') + countText(left, steps);
  const full = textAt(Number.POSITIVE_INFINITY);
  if (textWidth(full) <= columns) return full;
  // No text that fits is wider than the cell, so the time does not grow with the length of a text.
  const longest = Math.min(columns + 1, Math.max(...steps.map(({ text }) => textWidth(text))));
  const least = MIN_STEP_COLUMNS[steps.length === 1 ? 'one' : 'several'];
  for (let width = longest - 1; width >= least; width -= 1)
    if (textWidth(textAt(width)) <= columns) return textAt(width);
  if (steps.length === 1) return shortenText(textAt(0), columns);
  return fitted(steps.slice(0, -1), columns, [...steps.slice(-1), ...left]);
}

/**
 * The number of steps, and of each mark the number of steps that have it: ` +2, 1 silent`. Leaves out the marks of the
 * shown steps. Empty for no step.
 */
function countText(steps: readonly Step[], shown: readonly Step[]): string {
  const marks = steps.flatMap(({ mark }) => mark ?? []).filter((mark) => !shown.some((step) => step.mark === mark));
  const counts = [...new Set(marks)].map((mark) => `, ${marks.filter((one) => one === mark).length} ${mark}`);
  return steps.length === 0 ? '' : ` +${steps.length}${counts.join('')}`;
}
