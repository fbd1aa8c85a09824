import type { After } from '@parley/core/client';
import { agentName } from '../../../src/text/agent.ts';
import { actingIn, nextSentences } from '../../../src/text/inbox.ts';
import { shortened, visibleLine } from '../../../src/text/visible.ts';

/** Maximum number of characters of a line of what was said, which can contain the text of an answer or a finding. */
const MAX_LINE_CHARS = 200;

/** The text that confirms a call: what the call has done, and who acts next. The latter is left out after the end of the session. */
export function confirmationOf({ said, view }: After): string {
  const nameOf = (role: string): string => agentName(role, view.agents.find((agent) => agent.role === role)?.name);
  const next = view.state.status === 'ENDED' ? '' : nextSentences(actingIn(view), nameOf);
  const lines = said.split('\n').map((line) => shortened(visibleLine(line), MAX_LINE_CHARS));
  return [...lines, next].filter(Boolean).join(' ');
}
