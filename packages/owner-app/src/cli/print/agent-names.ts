import type { Answer } from '@parley/core/client';
import { type Agent, agentName, hindranceOf } from '../../text/agent.ts';
import type { Seen } from '../flags/command-line.ts';

/** Returns the name of the agent with a role, such as `Catalog agent (agent_a)`. */
export type NameOf = (role: string) => string;

interface WithAgents {
  readonly agents: readonly {
    readonly role: string;
    readonly name?: string | undefined;
    readonly display_name?: string | undefined;
  }[];
}

/** @param session any answer that contains the agents. Undefined if none could be read: then the names are the roles */
export const namesIn =
  (session: WithAgents | undefined): NameOf =>
  (role) => {
    const agent = session?.agents.find((candidate) => candidate.role === role);
    return agentName(role, agent?.display_name ?? agent?.name);
  };

/** The agents in a view of a session, by role: `{ agent_a: { name, … } }`. */
export const agentsByRole = (view: Answer<'view'> | undefined) =>
  Object.fromEntries((view?.agents ?? []).map((agent) => [agent.role, agent]));

/** Whether an absent agent makes no call although its token is valid, so that it needs a message and no invitation. */
export const isSilent = (agent: Agent, nowMs: number): boolean => hindranceOf(agent, nowMs, true) === 'silent';

/** Number of characters of the hash in a command line. */
const HASH_CHARS = 16;

/** The `head` of an answer: the latest event in it. */
export const seenIn = ({ head: { seq, hash } }: Pick<Answer<'view'>, 'head'>): Seen => ({
  seen: seq,
  seen_hash: hash.slice(0, HASH_CHARS),
});
