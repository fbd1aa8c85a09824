import { agentName, hindranceOf } from '../../../text/agent.ts';
import { absentRoles } from '../../../text/inbox.ts';
import { nextSteps, stepText } from '../../../text/next-steps.ts';
import { shortenText, textWidth } from '../../../text/width.ts';
import { recordsIn } from '../../../transcript/message.ts';
import type { Json } from '../../client/request.ts';
import { agentIn } from '../../print/agent-names.ts';
import { summaryOf } from '../../print/format-waiting.ts';

const roleWord = (role: string): string => agentName(role, undefined);

/** Minimum width of a shortened step, in columns. */
const MIN_STEP_COLUMNS = 6;

interface Step {
  readonly role: string;
  readonly text: string;
  /** Why the agent does not take the step, as ` (silent)`. Empty for the owner and an agent that acts. */
  readonly mark: string;
}

/**
 * Who must act next, and what: `you: Approve r_2; agent_a: answer f_3 (silent)`. An agent that does not take its step is
 * marked. Empty if nobody must act.
 *
 * @param columns maximum width. To fit it, the steps are shortened, then the last steps are only counted, as `+1`, then the
 * first step is left out; the mark of the first step is not cut off
 */
export function nextCell(session: Json, nowMs: number, columns: number): string {
  const summary = summaryOf(session);
  const reported = absentRoles(summary);
  const marks = new Map(
    recordsIn(session, 'agents')
      .map(agentIn)
      .map((agent) => [agent.role, hindranceOf(agent, nowMs, reported.includes(agent.role))]),
  );
  const steps = nextSteps(summary, roleWord, 1).map(({ role, text }) => {
    const mark = marks.get(role);
    return { role, text, mark: mark ? ` (${mark})` : '' };
  });
  return fitted(steps, columns);
}

/** @param left number of further steps, which are only counted */
function fitted(steps: readonly Step[], columns: number, left = 0): string {
  const textAt = (width: number): string =>
    steps
      .map(
        ({ role, text, mark }) =>
          `${stepText({ role, text: width > 0 ? shortenText(text, width) : '' }, roleWord)}${mark}`,
      )
      .join('; ') + (left > 0 ? ` +${left}` : '');
  const full = textAt(Number.POSITIVE_INFINITY);
  if (textWidth(full) <= columns) return full;
  const longest = Math.max(...steps.map(({ text }) => textWidth(text)));
  for (let width = longest - 1; width >= MIN_STEP_COLUMNS; width -= 1)
    if (textWidth(textAt(width)) <= columns) return textAt(width);
  if (steps.length === 1) return shortenText(textAt(0), columns);
  return fitted(steps.slice(0, -1), columns, left + 1);
}
