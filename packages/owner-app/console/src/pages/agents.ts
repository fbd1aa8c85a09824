import { absentText, agentName } from '../../../src/text/agent.ts';
import { absentRoles } from '../../../src/text/inbox.ts';
import type { Glance } from '../api/answers.ts';
import { roleName } from '../ui/text/shown.tsx';

/**
 * Returns the display name and the role of an agent. For the moderator or a role without an agent, returns only the
 * name of the role.
 */
export function agentIn({ agents }: Glance, role: string): string {
  const agent = agents.find((one) => one.role === role);
  return agent && role !== 'moderator' ? agentName(role, agent.display_name) : roleName(role);
}

/**
 * Returns a text that names the absent agents of a session and why each agent is absent, or an empty text if no agent
 * is absent. The inbox shows this text instead of a task for each absent agent.
 */
export function notThereText(session: Glance, nowMs: number): string {
  const absent = absentRoles(session);
  return absentText(
    (session.agents ?? []).filter(({ role }) => absent.includes(role)),
    nowMs,
  );
}
