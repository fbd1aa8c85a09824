import type { Answer } from '@parley/core/client';
import { type Agent, agentName, hindranceOf, namedText } from '../../text/agent.ts';
import { type InboxSession, needsInvitation } from '../../text/inbox.ts';
import { visibleLine } from '../../text/visible.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn } from '../../transcript/message.ts';
import type { Seen } from '../flags/command-line.ts';

/** Returns the name of the agent with a role, such as `Catalog agent (agent_a)`. */
export type NameOf = (role: string) => string;

/** @param session the view or the summary of a session, which contains the names of the agents */
export function namesIn(session: Members): NameOf {
  const agents = recordsIn(session, 'agents');
  return (role) => {
    const agent = agents.find((candidate) => candidate.role === role) ?? {};
    return agentName(role, textIn(agent, 'display_name') || textIn(agent, 'name'));
  };
}

/** Joins names for a sentence: `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** The agents in a view of a session, by role: `{ agent_a: { name, … } }`. */
export const agentsByRole = (view: Answer<'view'> | undefined) =>
  Object.fromEntries((view?.agents ?? []).map((agent) => [agent.role, agent]));

/** What each agent that must act next has to do, in words that follow its name and a colon. */
export const dutiesIn = (view: Members, nameOf: NameOf) =>
  recordsIn(view, 'duties').map((duty) => ({
    name: nameOf(textIn(duty, 'role')),
    text: visibleLine(namedText(textIn(duty, 'text'), nameOf)),
  }));

/** Converts an agent in a view or a summary for `presenceText`. */
export const agentIn = (agent: Members): Agent => ({
  role: textIn(agent, 'role'),
  display_name: textIn(agent, 'display_name') || textIn(agent, 'name'),
  joined: typeof agent.joined === 'boolean' ? agent.joined : undefined,
  revoked: agent.revoked === true,
  token_expires_at: textIn(agent, 'token_expires_at') || null,
  code_expires_at: textIn(agent, 'code_expires_at') || null,
  last_call_at: textIn(agent, 'last_call_at') || null,
  waiting: agent.waiting === true,
  wrote_at: textIn(agent, 'wrote_at') || null,
  due_since: textIn(agent, 'due_since') || null,
});

/** Whether a session stops until the owner invites an agent again. */
export const isLocked = (session: Members & Pick<InboxSession, 'waits'>, nowMs: number): boolean =>
  needsInvitation({ waits: session.waits, agents: recordsIn(session, 'agents').map(agentIn) }, nowMs);

/** Whether an absent agent makes no call although its token is valid, so that it needs a message and no invitation. */
export const isSilent = (agent: Agent, nowMs: number): boolean => hindranceOf(agent, nowMs, true) === 'silent';

/** The agents of a draft that have not joined, or whose access was revoked. */
export const unjoinedAgents = (session: Members): Agent[] =>
  recordsIn(session, 'agents')
    .map(agentIn)
    .filter(({ joined, revoked }) => joined === false || revoked === true);

/** Number of characters of the hash in a command line. */
const HASH_CHARS = 16;

/** The `head` of an answer: the latest event in it. Empty if the answer has no head. */
export function seenIn({ head }: Members): Seen {
  const [seen, hash] = [numberIn(membersOf(head), 'seq'), textIn(membersOf(head), 'hash')];
  return seen === 0 ? {} : { seen, ...(hash && { seen_hash: hash.slice(0, HASH_CHARS) }) };
}
