import type { AgentClient, Owner } from '@parley/core';
import { OWNER_KEY, openApplication } from '../../support/application.ts';
import { joinAs } from '../../support/join-session.ts';

/** What `npm start` serves, on a storage in memory and a free port. */
export interface RunningService {
  readonly url: string;
  readonly ownerKey: string;
  readonly owner: Owner;
  /** Id of a session in which no turn was posted. */
  readonly sessionId: string;
  tokenOf(role: 'agent_a' | 'agent_b' | 'moderator'): Promise<string>;
  /** Redeems an invitation code in process and returns the agent's calls. */
  agent(code: string): Promise<AgentClient>;
  close(): Promise<void>;
}

export async function runService(): Promise<RunningService> {
  const { parley, owner, url, close } = await openApplication();
  const { session_id: sessionId } = await owner.createSession({
    title: 'Refunds',
    objective: 'A buyer gets the money back within a day.',
    requirements: [{ requirement_id: 'req-1', text: 'No refund is paid twice.' }],
  });
  await owner.start(sessionId);
  return {
    ...{ url, ownerKey: OWNER_KEY, owner, sessionId, close },
    tokenOf: (role) => joinAs({ parley, owner }, sessionId, role),
    agent: async (code) => parley.agent((await parley.redeem({ code })).token),
  };
}

/**
 * Replaces the address in a document's text by that of this service, and each placeholder by a code, token or session
 * id.
 */
export function fillIn(
  text: string,
  { url, sessionId }: RunningService,
  { code = '', token = '' }: { readonly code?: string; readonly token?: string } = {},
): string {
  return text
    .replaceAll('http://127.0.0.1:4100', url)
    .replaceAll('<session_id>', sessionId)
    .replaceAll('pinv_…', code)
    .replaceAll('prt_…', token);
}
