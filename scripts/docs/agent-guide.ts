import { approve, discuss, writeContract } from '../agent-calls/agreeing.ts';
import { SESSION } from '../agent-calls/contract.ts';
import { openStage } from '../agent-calls/fixed-server.ts';
import { moderate } from '../agent-calls/moderating.ts';
import { decide, elect, join, takeTurns } from '../agent-calls/planning.ts';
import { createTranscript } from '../agent-calls/transcript.ts';
import { getReady, verify } from '../agent-calls/verifying.ts';
import { withGeneratedPart } from '../generated-part.ts';

/** The guide for agents. When it is generated, its example calls are made against a running server. */
export const file = 'docs/agent-guide.md';

export async function render(): Promise<string> {
  const stage = await openStage();
  const t = createTranscript(stage);
  try {
    const { session_id } = await stage.owner.createSession(SESSION);
    await join(stage, t, session_id);
    await takeTurns(stage, t);
    await decide(t);
    await elect(t);
    await writeContract(t);
    await discuss(t);
    await moderate(stage, t, session_id);
    await approve(stage, t, session_id);
    await getReady(stage, t, session_id);
    await verify(stage, t, session_id);
  } finally {
    await stage.close();
  }
  return withGeneratedPart(file, t.text());
}
