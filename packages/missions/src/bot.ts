import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import { answerKey, type Material, materialOf } from './material.ts';
import type { Agent, Mission } from './mission.ts';
import { isModerated } from './moderation.ts';
import { joinAgents } from './run-mission.ts';
import { type Acted, actOnNext, createSystem } from './system.ts';
import type { CallByName, CallTool, JoinedAgents, Json, OwnerApi, Transport } from './transport.ts';
import { filled, type Situation, WRITERS } from './writers.ts';

type StateView = ToolOutput<'read_session_state'>;

/** Which of its calls the moderator has already made. */
interface ModeratorsMemory {
  hasAsked: boolean;
  hasFound: boolean;
  hasObjected: boolean;
  hasApproved: boolean;
  hasAdvised: boolean;
}

const newMemory = (): ModeratorsMemory => ({
  hasAsked: false,
  hasFound: false,
  hasObjected: false,
  hasApproved: false,
  hasAdvised: false,
});

/**
 * Makes the call in the moderator's instruction. If the instruction is to wait, makes the first of these calls that is
 * due and was not made yet: asks a question; raises a finding, when there is a contract; gives a recommendation, when
 * the moderator has approved the contract.
 *
 * @returns whether it called a tool
 */
async function actAsModerator(
  moderator: CallTool,
  { moderation }: Material,
  memory: ModeratorsMemory,
): Promise<boolean> {
  if (!moderation) throw new Error('The mission has no part for a moderator.');
  const state = await moderator('read_session_state');
  const { tool, text } = state.instruction;
  const payload = state.pending_actions?.find((action) => action.tool === tool)?.payload ?? {};
  switch (tool) {
    case null:
      return false;
    case 'wait_for_activity':
      return takeInitiative(moderator, moderation, memory, state);
    case 'ack_events': {
      const { next_cursor } = await moderator('get_session_events', { brief: true });
      await moderator('ack_events', { cursor: next_cursor });
      return true;
    }
    case 'complete_action':
      await moderator(tool, { action_id: state.pending_actions?.find((action) => !action.tool)?.action_id });
      return true;
    case 'submit_contract_review':
      await moderator(tool, filled(payload, memory.hasObjected ? moderation.approval : moderation.objection));
      memory.hasApproved = memory.hasObjected;
      memory.hasObjected = true;
      return true;
    case 'resolve_finding':
      await moderator(tool, filled(payload, { outcome: 'RESOLVED' }));
      return true;
    case 'recommend_to_owner':
      await moderator(tool, filled(payload, moderation.advice));
      return true;
    default:
      throw new Error(`The instruction to the moderator names ${tool}, which the bot does not implement: ${text}`);
  }
}

type Moderation = NonNullable<Material['moderation']>;

async function takeInitiative(
  moderator: CallTool,
  { question, finding, advice }: Moderation,
  memory: ModeratorsMemory,
  { latest_revision }: StateView,
): Promise<boolean> {
  const say = async (tool: string, input: Json): Promise<boolean> => {
    await moderator(tool, input);
    return true;
  };
  if (!memory.hasAsked) {
    memory.hasAsked = true;
    return say('ask_agent', question);
  }
  if (!memory.hasFound && latest_revision) {
    memory.hasFound = true;
    return say('submit_moderator_finding', finding);
  }
  if (!memory.hasAdvised && memory.hasApproved) {
    memory.hasAdvised = true;
    return say('recommend_to_owner', advice);
  }
  return false;
}

/** A role that a bot plays. */
export type Actor = Agent | 'owner';

/** A call that a bot has made. */
export interface BotCall {
  readonly by: Actor;
  readonly tool: string;
  readonly input: Json;
  /** The REST route of the tool, from `verify_next`. Absent if the call was not in the list of `verify_next`. */
  readonly route?: string;
}

const Payload = z.record(z.string(), z.unknown());
type BuilderState = ToolOutput<'read_session_state'>;

/**
 * Runs a mission from an empty session to its end, without following its script.
 *
 * Each agent reads its state and calls the tool that `instruction` names. It takes the payload from the first
 * item of `due` or from its action, and replaces the placeholders `<…>` in the payload by texts of the mission. After
 * the authorization of the build, an agent calls `verify_next` and makes the first call in its list. If the moderator's
 * instruction is to wait, the moderator makes one of its scripted calls. The owner calls the operation in its own
 * `instruction`.
 *
 * @param order the roles in order of precedence, if several of them can act
 * @throws Error if the session has not ended and no instruction names a call, or if an instruction names a call that
 * the bots cannot make; if a call is refused, rejects with the error of the transport
 */
export async function runWithBots(
  mission: Mission,
  transport: Transport,
  { order = ['agent_a', 'agent_b', 'owner'], onCall = () => {} }: { order?: readonly Actor[]; onCall?: OnCall } = {},
): Promise<JoinedAgents> {
  const joined = await joinAgents(mission.session, transport, isModerated(mission));
  const bots = botsFor(mission, transport.owner, joined, onCall);
  await bots.open();
  while (await anybodyActs(order, bots.act)) {
    // Nothing to do here: after each call, `anybodyActs` begins again with the first role in `order`.
  }
  if (!(await bots.hasEnded())) throw new Error('The session has not ended, but no instruction names a next call.');
  return joined;
}

async function anybodyActs(order: readonly Actor[], act: (actor: Actor) => Promise<boolean>): Promise<boolean> {
  for (const actor of order) if (await act(actor)) return true;
  return false;
}

type OnCall = (call: BotCall) => void;

function botsFor(mission: Mission, owner: OwnerApi, { sessionId, agents, moderator }: JoinedAgents, onCall: OnCall) {
  const material = materialOf(mission);
  const system = createSystem(mission);
  const memory = { turns: { agent_a: 0, agent_b: 0 }, findings: 0, hasObjected: false, hasMended: false };
  const moderatorsMemory = newMemory();
  const phases = { agent_a: '', agent_b: '' };
  const asOwner = (tool: string, input: Json): Promise<Json> => owner.call(tool, sessionId, input);
  const recorded = <C extends CallByName>(by: Actor, call: C): C => {
    const recordedCall: CallByName = (tool, input = {}, how = {}) => {
      onCall({ by, tool, input, ...how });
      return call(tool, input, how);
    };
    return recordedCall as C;
  };
  let hasSentBack = false;
  return {
    async open() {
      for (const { call, input } of material.ownerSteps) await recorded('owner', asOwner)(call, input);
    },
    async act(actor: Actor): Promise<boolean> {
      if (actor === 'moderator') {
        if (!moderator) throw new Error('The mission has moderator steps, but no moderator was invited.');
        return actAsModerator(recorded('moderator', moderator), material, moderatorsMemory);
      }
      if (actor !== 'owner') {
        const bot = { role: actor, agent: recorded(actor, agents[actor]), material, memory };
        const { acted, phase } = isBuilt(phases[actor])
          ? await actOnNext(bot.agent, actor, system)
          : await actAsAgent(bot);
        phases[actor] = phase;
        return acted;
      }
      const acted = await actAsOwner(recorded('owner', asOwner), material, hasSentBack);
      hasSentBack ||= acted === 'requestChanges';
      return acted !== null;
    },
    async hasEnded(): Promise<boolean> {
      const states = await Promise.all([agents.agent_a('read_session_state'), agents.agent_b('read_session_state')]);
      return states.every(({ status }) => status === 'ENDED');
    },
  };
}

const isBuilt = (phase: string): boolean => phase === 'VERIFY' || phase === 'RELEASE';

type Bot = Pick<Situation, 'role' | 'agent' | 'material' | 'memory'>;

/**
 * Makes the call in the agent's instruction. Makes no call if the instruction is to wait, or after the authorization of
 * the build, because `verify_next` lists the calls from then on.
 */
async function actAsAgent(bot: Bot): Promise<Acted> {
  const state = await bot.agent('read_session_state');
  const { tool, text } = state.instruction;
  const { phase } = state;
  if (isBuilt(phase)) return { acted: true, phase };
  if (tool === null || tool === 'wait_for_my_turn') return { acted: false, phase };
  const write = WRITERS.get(tool);
  if (!write) throw new Error(`The instruction to ${bot.role} names ${tool}, which the bots do not implement: ${text}`);
  const call = await write({ ...bot, state, payload: payloadFor(state) });
  await bot.agent(call.tool ?? tool, call.input);
  return { acted: true, phase };
}

/** Returns the payload of the first call that is due. If its item has none, that of its action. */
function payloadFor({ due = [], pending_actions = [] }: BuilderState): Json {
  const [first] = due;
  return first?.payload ?? pending_actions.find(({ action_id }) => action_id === first?.action_id)?.payload ?? {};
}

const View = z.object({
  head: z.object({ seq: z.int() }),
  state: z.object({
    phase: z.string(),
    instruction: z.object({ tool: z.string().nullable() }),
    open_questions: z.array(z.object({ question_id: z.string(), text: z.string() })),
  }),
  waits: z.array(z.object({ operation: z.string(), payload: Payload })),
});
type OwnerView = z.output<typeof View>;

/**
 * Makes the call in the owner's instruction. Exception: if the owner of this mission requests changes, calls
 * `requestChanges` first in READINESS. Returns the name of the called operation, or null if no call was made.
 */
async function actAsOwner(owner: CallByName, material: Material, hasSentBack: boolean): Promise<string | null> {
  const view = View.parse(await owner('view', {}));
  const { ownersChange } = material;
  if (view.state.phase === 'READINESS' && ownersChange !== undefined && !hasSentBack) {
    await owner('requestChanges', { reason: ownersChange, seen: view.head.seq });
    return 'requestChanges';
  }
  const { tool } = view.state.instruction;
  if (tool === null) return null;
  await owner(tool, ownersInput(tool, material, view));
  return tool;
}

/** Makes the input of the owner's call: the payload of the waiting task, with the owner's answer. */
function ownersInput(tool: string, { answers }: Material, { head, state, waits }: OwnerView): Json {
  const payload = waits.find(({ operation }) => operation === tool)?.payload ?? {};
  switch (tool) {
    case 'approveContract':
    case 'authorize':
      return { ...payload, seen: head.seq };
    case 'end':
      return payload;
    case 'respondRecommendation':
      return { ...payload, decision: 'ACCEPT' };
    case 'answerQuestion': {
      const question = state.open_questions.find(({ question_id }) => question_id === payload.question_id);
      return { ...payload, text: answers.get(answerKey('owner', question?.text ?? '')) ?? 'Yes.' };
    }
    default:
      throw new Error(`The instruction to the owner names ${tool}, which the bot does not implement.`);
  }
}
