import { z } from 'zod';
import { AgentView } from '../../session/schemas.ts';
import { viewAgents } from '../../session/views.ts';
import type { SessionState } from '../../state.ts';
import { commitAddress } from '../../verify/commit-address.ts';

export const AgentOnBoard = z.strictObject({
  ...AgentView.shape,
  commit: z.string().nullable().describe('The declared commit.'),
  commit_url: z
    .string()
    .nullable()
    .describe(
      'Web page of the declared commit; null unless the repository is an https or ssh address of a known forge.',
    ),
});

/** Both builders, each with the commit that it has declared and the address of that commit's web page. */
export const agentsOnBoard = ({ profile, verify }: SessionState): z.output<typeof AgentOnBoard>[] =>
  viewAgents(profile).map((agent) => {
    const commit = verify.handshakes[agent.role]?.commit ?? null;
    return { ...agent, commit, commit_url: commit === null ? null : commitAddress(agent.repository, commit) };
  });
