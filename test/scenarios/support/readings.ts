import type { CallByName, CallTool, JoinedAgents, Json } from '@parley/missions';
import type { World } from './world.ts';

export async function readTranscript(agent: CallByName): Promise<Json[]> {
  const messages: Json[] = [];
  for (let after = 0; ; ) {
    const page = await agent('read_messages', { after });
    if (!Array.isArray(page.messages) || page.messages.length === 0) return messages;
    messages.push(...page.messages);
    after = Number(page.next_cursor);
  }
}

export const readOwnersTranscript = ({ owner }: World, sessionId: string): Promise<Json[]> =>
  readTranscript((_tool, input) => owner.call('transcript', sessionId, input));

/** Reads everything that the agents and the owner can read of a session, and its log. */
export async function readEverything(world: World, { sessionId, agents, moderator }: JoinedAgents): Promise<Json> {
  const { owner } = world;
  return {
    agentA: await readAsAgent(agents.agent_a),
    agentB: await readAsAgent(agents.agent_b),
    ...(moderator && { moderator: await readAsModerator(moderator) }),
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

const readAsAgent = async (agent: CallTool): Promise<Json> => ({
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

const readAsModerator = async (moderator: CallTool): Promise<Json> => ({
  task: await moderator('read_task', {}),
  state: await moderator('read_session_state', {}),
  status: await moderator('get_moderator_status', {}),
  feed: await readFeed(moderator),
  decisions: await moderator('list_decisions', {}),
  questions: await moderator('get_moderator_questions', {}),
  findings: await moderator('get_moderator_findings', {}),
  reviews: await moderator('get_contract_review', {}),
  plan: await moderator('get_final_plan', {}),
  blockers: await moderator('list_blockers', {}),
  board: await moderator('verify_board', {}),
  transcript: await readTranscript(moderator),
});

/** Reads every event that the moderator sees, page by page, including acknowledged events. */
export async function readFeed(moderator: CallTool): Promise<Json[]> {
  const events: Json[] = [];
  for (let after = 0; ; ) {
    const page = await moderator('get_session_events', { after, limit: 100 });
    if (!Array.isArray(page.events) || page.events.length === 0) return events;
    events.push(...page.events);
    after = Number(page.next_cursor);
  }
}

async function readArtifacts(agent: CallTool): Promise<Json[]> {
  const { artifacts } = await agent('list_artifacts', {});
  const names = Array.isArray(artifacts) ? artifacts.map(({ filename }) => String(filename)) : [];
  return Promise.all(names.map((filename) => agent('fetch_artifact', { filename })));
}
