import type { AgentFace, Cast, Json } from '@parley/missions';
import type { World } from './world.ts';

/** Every message the agent sees, page by page. */
export async function readTranscript(agent: AgentFace): Promise<Json[]> {
  const messages: Json[] = [];
  for (let after = 0; ; ) {
    const page = await agent('read_messages', { after });
    if (!Array.isArray(page.messages) || page.messages.length === 0) return messages;
    messages.push(...page.messages);
    after = Number(page.next_cursor);
  }
}

/** Every message the owner sees. */
export const readOwnersTranscript = ({ owner }: World, sessionId: string): Promise<Json[]> =>
  readTranscript((_tool, input) => owner.call('transcript', sessionId, input));

/** All that the two agents and the owner can read of a session, its log included. */
export async function readEverything(world: World, { sessionId, agents }: Cast): Promise<Json> {
  const { owner } = world;
  return {
    agentA: await readAsAgent(agents.agent_a),
    agentB: await readAsAgent(agents.agent_b),
    view: await owner.call('view', sessionId, {}),
    plan: await owner.call('plan', sessionId, {}),
    transcript: await readOwnersTranscript(world, sessionId),
    log: await readLog(owner.exportLog(sessionId)),
  };
}

async function readLog(lines: AsyncIterable<string>): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const line of lines) events.push(JSON.parse(JSON.parse(line).event));
  return events;
}

const readAsAgent = async (agent: AgentFace): Promise<Json> => ({
  task: await agent('read_task', {}),
  state: await agent('read_session_state', {}),
  decisions: await agent('list_decisions', {}),
  interventions: await agent('list_interventions', {}),
  actions: await agent('poll_actions', {}),
  plan: await agent('get_final_plan', {}),
  blockers: await agent('list_blockers', {}),
  findings: await agent('list_findings', {}),
  preflight: await agent('get_preflight', {}),
  readiness: await agent('get_readiness_questions', {}),
  listing: await agent('list_artifacts', {}),
  artifacts: await readArtifacts(agent),
  board: await agent('verify_board', {}),
  next: await agent('verify_next', {}),
  transcript: await readTranscript(agent),
});

async function readArtifacts(agent: AgentFace): Promise<Json[]> {
  const { artifacts } = await agent('list_artifacts', {});
  const names = Array.isArray(artifacts) ? artifacts.map(({ filename }) => String(filename)) : [];
  return Promise.all(names.map((filename) => agent('fetch_artifact', { filename })));
}
