import { absenceMark, agentName } from '../../../text/agent.ts';
import { nextSteps, stepText } from '../../../text/next-steps.ts';
import { UNLIMITED } from '../../../text/page.ts';
import { shortenText } from '../../../text/width.ts';
import { recordsIn } from '../../../transcript/message.ts';
import type { Json } from '../../client/request.ts';
import { agentIn } from '../../print/agent-names.ts';
import { absentRoles, summaryOf } from '../../print/format-waiting.ts';

const roleWord = (role: string): string => agentName(role, undefined);

/** Maximum width of a marked step on a terminal, in columns, so that the mark is not cut off. */
const MAX_MARKED_COLUMNS = 24;

/**
 * Who must act next, and what: `you: Approve r_2; agent_a: answer f_3 (idle 7 h)`. An agent that does not take its step
 * is marked. Empty if nobody must act.
 *
 * @param columns width of the terminal, `UNLIMITED` for a file or a pipe
 */
export function nextCell(session: Json, nowMs: number, columns: number): string {
  const summary = summaryOf(session);
  const reported = absentRoles(summary);
  const marks = new Map(
    recordsIn(session, 'agents')
      .map(agentIn)
      .map((agent) => [agent.role, absenceMark(agent, nowMs, reported.includes(agent.role))]),
  );
  return nextSteps(summary, roleWord, 1)
    .map((step) => {
      const mark = marks.get(step.role);
      if (!mark) return stepText(step, roleWord);
      const text = columns === UNLIMITED ? step.text : shortenText(step.text, MAX_MARKED_COLUMNS);
      return `${stepText({ ...step, text }, roleWord)} (${mark})`;
    })
    .join('; ');
}
