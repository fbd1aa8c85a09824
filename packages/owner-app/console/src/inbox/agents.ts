import { absentText, agentName } from '../../../src/text/agent.ts';
import { foldedAbsences } from '../../../src/text/inbox.ts';
import type { Glance } from '../api/types.ts';
import { roleName } from '../ui/text/shown.tsx';

/** The name of a role in a session of the overview: the display name, then the role. */
export function agentIn({ agents }: Glance, role: string): string {
  const agent = agents.find((one) => one.role === role);
  return agent && role !== 'moderator' ? agentName(role, agent.display_name) : roleName(role);
}

/**
 * The absent agents of a session that the inbox does not list as separate tasks, and why they are absent. Empty if there are
 * none.
 */
export function notThereText(session: Glance, nowMs: number): string {
  const folded = foldedAbsences(session).map(({ record }) => record.id);
  return absentText(
    (session.agents ?? []).filter(({ role }) => folded.some((id) => id === role)),
    nowMs,
  );
}
