import type { AgentClient, ToolName } from '@parley/core';
import type { Session } from './session.ts';

export interface Reading {
  readonly role: 'agent_a' | 'agent_b' | 'moderator' | 'owner';
  readonly read: string;
  readonly answer: unknown;
}

/** The builders' reads, with an input where the read requires an input. */
const BUILDER_READS: readonly (readonly [tool: ToolName, input?: object])[] = [
  ['read_task'],
  ['read_session_state'],
  ['wait_for_my_turn', { wait: 0 }],
  ['poll_actions'],
  ['list_interventions'],
  ['list_decisions'],
  ['list_blockers'],
  ['get_preflight'],
  ['list_findings'],
  ['get_readiness_questions'],
  ['list_artifacts'],
  ['verify_board', { format: 'both' }],
  ['verify_next'],
];

const MODERATOR_READS: readonly (readonly [tool: ToolName, input?: object])[] = [
  ['read_task'],
  ['read_session_state'],
  ['get_moderator_status'],
  ['list_blockers'],
  ['verify_board', { format: 'both' }],
  ['list_decisions'],
  ['get_moderator_findings'],
  ['get_moderator_questions'],
  ['get_contract_review'],
  ['wait_for_activity', { wait_seconds: 0 }],
];

export async function readStanding({ agentA, agentB, moderator, owner, sessionId }: Session): Promise<Reading[]> {
  const { group = '' } = await owner.view(sessionId);
  const { sessions: grouped } = await owner.group({ name: group });
  return [
    ...(await plainReadings('agent_a', agentA, BUILDER_READS)),
    ...(await plainReadings('agent_b', agentB, BUILDER_READS)),
    ...(await plainReadings('moderator', moderator, MODERATOR_READS)),
    ...(await wholeReadings('agent_a', agentA, BUILDER_LISTS)),
    ...(await wholeReadings('agent_b', agentB, BUILDER_LISTS)),
    ...(await wholeReadings('moderator', moderator, MODERATOR_LISTS)),
    ...(await recordReadings(owner, sessionId)),
    { role: 'owner', read: 'view', answer: await owner.view(sessionId) },
    { role: 'owner', read: 'board', answer: await owner.board(sessionId, { format: 'both' }) },
    { role: 'owner', read: 'blockers', answer: await owner.blockers(sessionId) },
    { role: 'owner', read: 'listSessions', answer: await owner.listSessions() },
    { role: 'owner', read: 'overview', answer: await owner.overview() },
    { role: 'owner', read: 'inbox', answer: await owner.inbox() },
    {
      role: 'owner',
      read: 'group',
      answer: { sessions: grouped.map(({ session, contract }) => ({ ...session, contract })) },
    },
  ];
}

type List = readonly [tool: ToolName, list: string, id: string];

/** Lists whose records can also be read by id: the tool, the member with the list, and the member with the id. */
const BUILDER_LISTS: readonly List[] = [
  ['list_decisions', 'decisions', 'decision_id'],
  ['list_findings', 'findings', 'finding_id'],
  ['list_interventions', 'interventions', 'intervention_id'],
  ['verify_board', 'scenarios', 'scenario_id'],
];
const MODERATOR_LISTS: readonly List[] = [
  ['list_decisions', 'decisions', 'decision_id'],
  ['get_moderator_findings', 'findings', 'finding_id'],
  ['get_moderator_questions', 'questions', 'intervention_id'],
  ['verify_board', 'scenarios', 'scenario_id'],
];

async function wholeReadings(role: Reading['role'], agent: AgentClient, lists: readonly List[]): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const [tool, list, id] of lists) {
    const records: Readonly<Record<string, unknown>>[] = Object(await agent.call(tool, {}))[list];
    readings.push(
      ...(await plainReadings(
        role,
        agent,
        records.map((record) => [tool, { [id]: record[id] }] as const),
      )),
    );
  }
  return readings;
}

/** Types of records, and the members of the owner's view that contain them. */
const VIEWED = [
  ['decision', 'decisions'],
  ['question', 'questions'],
  ['intervention', 'interventions'],
  ['action', 'actions'],
  ['revision', 'revisions'],
  ['finding', 'findings'],
  ['hold', 'holds'],
  ['moderator_review', 'moderator_reviews'],
  ['recommendation', 'recommendations'],
  ['followup', 'followups'],
] as const;

async function recordReadings(owner: Session['owner'], sessionId: string): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const [type, list] of VIEWED) {
    const { records } = await owner.records(sessionId, { type });
    for (const record of records) {
      const whole = await owner.records(sessionId, { type, id: String(Object.values(record)[0]) });
      readings.push({ role: 'owner', read: 'records', answer: { [list]: whole.records } });
    }
  }
  return readings;
}

export async function readContract(session: Session): Promise<Reading[]> {
  const { agentA, agentB, moderator } = session;
  return [
    ...(await contractReadings('agent_a', agentA)),
    ...(await contractReadings('agent_b', agentB)),
    ...(await plainReadings('moderator', moderator, [['get_final_plan']])),
    ...(await ownerContractReadings(session)),
  ];
}

async function ownerContractReadings({ owner, sessionId }: Session): Promise<Reading[]> {
  const role = 'owner';
  const plan = await owner.plan(sessionId);
  const revision_id = plan.revision_id ?? '';
  const { manifest } = await owner.view(sessionId);
  const readings: Reading[] = [
    { role, read: 'plan', answer: plan },
    { role, read: 'changeLinks', answer: await owner.changeLinks(sessionId) },
    { role, read: 'revision', answer: await owner.revision(sessionId, { revision_id }) },
    { role, read: 'diff', answer: await owner.diff(sessionId, { revision_id }) },
    // The filename is left out: it has the letters and digits of the title, so it contains some hostile titles and not others.
    { role, read: 'report', answer: { text: (await owner.report(sessionId)).text } },
  ];
  for (let after = 0, left = 1; left > 0; ) {
    const answer = await owner.changes(sessionId, { after });
    readings.push({ role, read: 'changes', answer });
    const shown = answer.sections.flatMap(({ records }) => records.flatMap((record) => record.changes)).length;
    after += shown;
    left = shown > 0 ? (answer.left_out?.count ?? 0) : 0;
  }
  for (const stage of ['approval', 'build', 'deployment', 'activation'] as const)
    readings.push({ role, read: 'brief', answer: await owner.brief(sessionId, { stage }) });
  for (const { filename } of manifest?.artifacts ?? [])
    readings.push({ role, read: 'artifact', answer: await owner.artifact(sessionId, { filename }) });
  return readings;
}

/** Reads the whole history as each role. Called once at the end, because stored events never change. */
export async function readHistory({ agentA, agentB, moderator, owner, sessionId }: Session): Promise<Reading[]> {
  const log: unknown[] = [];
  for await (const line of owner.exportLog(sessionId)) log.push(JSON.parse(JSON.parse(line).event));
  return [
    ...(await pagedReadings('agent_a', 'read_messages', (after) => agentA.call('read_messages', { after }))),
    ...(await pagedReadings('agent_b', 'read_messages', (after) => agentB.call('read_messages', { after }))),
    ...(await pagedReadings('moderator', 'read_messages', (after) => moderator.call('read_messages', { after }))),
    ...(await pagedReadings('moderator', 'get_session_events', (after) =>
      moderator.call('get_session_events', { after }),
    )),
    ...(await pagedReadings('owner', 'transcript', (after) => owner.transcript(sessionId, { after }))),
    ...(await plainReadings('agent_a', agentA, [['get_contract_schema']])),
    { role: 'owner', read: 'exportLog', answer: { log } },
  ];
}

export const READ_TOOLS: readonly string[] = [
  ...BUILDER_READS.map(([tool]) => tool),
  ...MODERATOR_READS.map(([tool]) => tool),
  ...['read_messages', 'get_session_events', 'get_contract_schema'],
  ...['get_final_plan', 'get_revision_diff', 'fetch_artifact', 'validate_contract_draft'],
];

export const OWNER_READS = [
  'changeLinks',
  'view',
  'records',
  'transcript',
  'plan',
  'revision',
  'diff',
  'blockers',
  'artifact',
  'board',
  'changes',
  'brief',
  'report',
];

type Named = readonly (readonly [tool: ToolName, input?: object])[];

async function plainReadings(role: Reading['role'], agent: AgentClient, reads: Named): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const [read, input = {}] of reads) readings.push({ role, read, answer: await agent.call(read, input) });
  return readings;
}

async function contractReadings(role: 'agent_a' | 'agent_b', agent: AgentClient): Promise<Reading[]> {
  const plan = await agent.call('get_final_plan', {});
  const { artifacts } = await agent.call('list_artifacts', {});
  const { revision_id, contract } = plan;
  return [
    { role, read: 'get_final_plan', answer: plan },
    ...(await plainReadings(role, agent, [
      ...(revision_id ? [['get_revision_diff', { revision_id }] as const] : []),
      ...artifacts.map(({ filename }) => ['fetch_artifact', { filename }] as const),
      ...(contract ? [['validate_contract_draft', { contract }] as const] : []),
    ])),
  ];
}

async function pagedReadings(
  role: Reading['role'],
  read: string,
  page: (after: number) => Promise<{ readonly next_cursor: number }>,
): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (let after = 0; ; ) {
    const answer = await page(after);
    if (answer.next_cursor === after) return readings;
    after = answer.next_cursor;
    readings.push({ role, read, answer });
  }
}
