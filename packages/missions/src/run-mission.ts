import { z } from 'zod';
import { answerReadiness, confirmAnswers, confirmReceipts, rememberContract } from './handover.ts';
import { type Agent, type Builder, type Mission, type Outcome, PARTS, type Part, type Step } from './mission.ts';
import { checkAnswers, type FeedEvent, isModerated, takeInEvents } from './moderation.ts';
import type { CallTool, JoinedAgents, Json, OwnerApi, Transport } from './transport.ts';

const Reference = z.strictObject({ $: z.enum(['latest.revision_id', 'latest.content_hash', 'head.seq']) });
const Plan = z.object({
  revision_id: z.string(),
  content_hash: z.string(),
  head: z.object({ seq: z.int() }).optional(),
});

/**
 * Replaces references in an input. `latest.content_hash`, written as `{"$": "latest.content_hash"}`, becomes the hash
 * of the latest revision, and `latest.revision_id` becomes its id. For the owner, `head.seq` becomes the number of the
 * latest event, which a decision sends as `seen`.
 *
 * @param readPlan reads the latest revision; called once, and only if the input contains a reference
 */
async function resolveReferences(input: Json, readPlan: () => Promise<Json>): Promise<Json> {
  const references = Object.entries(input).flatMap(([member, value]) => {
    const name = Reference.safeParse(value).data?.$;
    return name ? [{ member, name }] : [];
  });
  if (references.length === 0) return input;
  const { revision_id, content_hash, head } = Plan.parse(await readPlan());
  const values = { 'latest.revision_id': revision_id, 'latest.content_hash': content_hash, 'head.seq': head?.seq };
  return { ...input, ...Object.fromEntries(references.map(({ member, name }) => [member, values[name]])) };
}

/** A step of the mission, and its result. */
export interface StepResult {
  readonly sessionId: string;
  readonly part: Part;
  /** Number of the step, counted from 0 over all parts. */
  readonly index: number;
  readonly step: Step;
  /** The answer to the step. For a routine, the answer to its last call. */
  readonly result: Json;
}

/**
 * Runs a mission from the first invitation to its end.
 *
 * A step starts when the step before it was answered. A builder posts a turn only when `wait_for_my_turn` says that it
 * is this builder's turn. After each step the mission waits for `onStep`, so a slow `onStep` delays the next step.
 *
 * @throws Error if the session is not paused and `wait_for_my_turn` says that it is not this builder's turn, or if an
 *   artifact does not match its checksum; if a call is refused, rejects with the error of the transport
 */
export async function runMission(
  mission: Mission,
  transport: Transport,
  onStep: (result: StepResult) => void | Promise<void> = () => {},
): Promise<JoinedAgents> {
  const joined = await joinAgents(mission.session, transport, isModerated(mission));
  const steps = PARTS.flatMap((part) => mission[part].map((step) => ({ part, step })));
  for (const [index, { part, step }] of steps.entries()) {
    const result = await takeStep(step, transport.owner, joined);
    await onStep({ sessionId: joined.sessionId, part, index, step, result });
  }
  return joined;
}

/**
 * Creates the session and invites both agents, and the moderator if the mission has one. When all of them have redeemed
 * their invitations, starts the session.
 */
export async function joinAgents(
  session: Mission['session'],
  transport: Transport,
  hasModerator = false,
): Promise<JoinedAgents> {
  const created = await transport.owner.createSession(session);
  const sessionId = textOf(created, 'session_id');
  const join = async (role: Agent): Promise<CallTool> => {
    const invitation = await transport.owner.call('invite', sessionId, { role });
    return (await transport.agents({ sessionId, role, code: textOf(invitation, 'code') })) as CallTool;
  };
  const agents = { agent_a: await join('agent_a'), agent_b: await join('agent_b') };
  const moderator = hasModerator ? { moderator: await join('moderator') } : {};
  await transport.owner.call('start', sessionId, {});
  return { sessionId, agents, ...moderator };
}

type Routine = (agent: CallTool, input: Json) => Promise<Json>;

/** Steps that make several calls. The input of each call depends on the answer to the previous call. */
const ROUTINES: ReadonlyMap<string, Routine> = new Map([
  ['confirm_receipts', confirmReceipts],
  ['answer_readiness', answerReadiness],
  ['confirm_answers', confirmAnswers],
]);

async function takeStep({ by, call, input }: Step, owner: OwnerApi, joined: JoinedAgents): Promise<Json> {
  const { sessionId, agents, moderator } = joined;
  if (by === 'owner')
    return owner.call(call, sessionId, await resolveReferences(input, () => owner.call('plan', sessionId, {})));
  if (by === 'moderator') {
    if (!moderator) throw new Error(`The mission calls ${call} as the moderator, but no moderator was invited.`);
    if (call === 'take_in_events') return { ...(await takeIn(moderator)) };
    if (call === 'check_answers') return checkAnswers(moderator, seen.get(moderator) ?? []);
    return callAs(moderator, call, input, readStructured);
  }
  const agent = agents[by];
  const routine = ROUTINES.get(call);
  if (routine) return routine(agent, input);
  if (call === 'wait_for_my_turn') return waitForWork(agent);
  if (call === 'post_turn') await waitForTurn(by, agent);
  return callAs(agent, call, input, readContract);
}

/** For each agent: the latest revision that the agent submitted or saw in its events, so that it need not be read. */
const known = new WeakMap<CallTool, Json>();
const Revision = z.looseObject({ revision_id: z.string(), content_hash: z.string() });
/** For each moderator: the events that its latest `take_in_events` has read. */
const seen = new WeakMap<CallTool, readonly FeedEvent[]>();

async function takeIn(moderator: CallTool) {
  const taken = await takeInEvents(moderator);
  seen.set(moderator, taken.events);
  const created = taken.events.findLast(({ kind }) => kind === 'revision.created');
  if (created) known.set(moderator, { ...created.data, revision_id: created.subject.id });
  return taken;
}

const STORES_REVISION = new Set(['submit_contract', 'patch_contract']);

/** Reads the latest revision, with the contents of its artifacts. */
async function readContract(agent: CallTool): Promise<Json> {
  const plan = await readStructured(agent);
  rememberContract(agent, plan.contract);
  return plan;
}

const readStructured = (agent: CallTool): Promise<Json> => agent('get_final_plan', { format: 'structured' });

async function callAs(agent: CallTool, call: string, input: Json, readPlan: typeof readContract): Promise<Json> {
  const readLatest = async () => known.get(agent) ?? readPlan(agent);
  const answer = await agent(call, await resolveReferences(input, readLatest));
  if (STORES_REVISION.has(call)) known.set(agent, Revision.parse(answer));
  if (call === 'submit_contract') rememberContract(agent, input.contract);
  return answer;
}

/** For each agent: the cursor of its latest wait. The next wait answers with what is newer. */
const cursors = new WeakMap<CallTool, number>();

/** Waits for work or a message after the cursor of the builder's latest wait. */
async function waitForWork(agent: CallTool) {
  const after = cursors.get(agent);
  const state = await agent('wait_for_my_turn', { wait: 25, ...(after === undefined ? {} : { after }) });
  cursors.set(agent, state.cursor);
  return state;
}

/**
 * Waits until it is the builder's turn. Throws if the builder cannot take the turn although the session is not paused.
 */
async function waitForTurn(role: Builder, agent: CallTool): Promise<void> {
  let state = await waitForWork(agent);
  while (state.status === 'PAUSED') state = await waitForWork(agent);
  if (state.next_agent !== role) throw new Error(`${role} should post a turn, but ${describeTurn(state)}.`);
}

const describeTurn = ({ status, next_agent, turn_index }: Json): string =>
  `the session is ${String(status)} and turn ${String(turn_index)} belongs to ${String(next_agent ?? 'nobody')}`;

function textOf(answer: Json, member: string): string {
  const value = answer[member];
  if (typeof value !== 'string') throw new Error(`The answer of the service has no string in the member ${member}.`);
  return value;
}

/** Reads the outcome of a session in the form of a mission's `outcome`. Every agent reads the same outcome. */
export async function readOutcome(agent: CallTool): Promise<Json> {
  const state = await agent('read_session_state');
  const { decisions } = await agent('list_decisions');
  const { findings } = await agent('list_findings');
  const { receipts_missing, readiness } = await agent('get_readiness_questions');
  const { scenarios, defects, certification } = await agent('verify_board');
  const { latest_revision: latest } = state;
  return {
    status: state.status,
    phase: state.phase,
    contract_author: state.contract_author,
    turns: state.turn_index,
    decisions: Object.fromEntries(decisions.map(({ decision_id, status }) => [decision_id, status])),
    revision: latest && { revision_id: latest.revision_id, status: latest.status },
    findings: Object.fromEntries(findings.map(({ finding_id, status }) => [finding_id, status])),
    receipts_missing: receipts_missing.map((name) => (name === handoffOf(state.your_role) ? 'handoff.md' : name)),
    ready: readiness.filter(({ verdict }) => verdict === 'READY_TO_CODE').map(({ by }) => by),
    authorizations: state.authorizations,
    scenarios: Object.fromEntries(scenarios.map(({ scenario_id, status }) => [scenario_id, status])),
    defects: Object.fromEntries(defects.map(({ defect_id, status }) => [defect_id, status])),
    certified: certification?.certified,
  } satisfies Record<keyof Outcome, unknown>;
}

const handoffOf = (role: string | undefined): string => `handoff-${role?.replace('_', '-')}.md`;
