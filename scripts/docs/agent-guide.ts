import { approve, discuss, writeContract } from '../agent-calls/agreeing.ts';
import { SESSION } from '../agent-calls/contract.ts';
import { openFixedServer } from '../agent-calls/fixed-server.ts';
import { moderate } from '../agent-calls/moderating.ts';
import { decide, elect, join, takeTurns } from '../agent-calls/planning.ts';
import { createTranscript } from '../agent-calls/transcript.ts';
import { getReady, verify } from '../agent-calls/verifying.ts';
import { withGeneratedPart } from '../generated-part.ts';

/** The guide for agents. Generating it makes the example calls on a running server. */
export const file = 'docs/agent-guide.md';

export async function render(): Promise<string> {
  const server = await openFixedServer();
  const t = createTranscript(server);
  try {
    const { session_id } = await server.owner.createSession(SESSION);
    await join(server, t, session_id);
    await takeTurns(server, t);
    await decide(t);
    await elect(t);
    await writeContract(t);
    await discuss(t);
    await moderate(server, t, session_id);
    await approve(server, t, session_id);
    await getReady(server, t, session_id);
    await verify(server, t, session_id);
  } finally {
    await server.close();
  }
  return withGeneratedPart(file, t.text());
}
