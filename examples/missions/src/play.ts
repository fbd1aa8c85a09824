import { z } from 'zod';
import type { Builder, Mission, Outcome, Step } from './mission.ts';

export type Json = Readonly<Record<string, unknown>>;

/** What an agent can call: a tool by its name. Rejects when the call is refused. */
export type AgentFace = (tool: string, input: Json) => Promise<Json>;

/** The part of the owner's side that a mission needs. */
export interface OwnerFace {
  createSession(input: Json): Promise<Json>;
  call(operation: string, sessionId: string, input: Json): Promise<Json>;
}

export interface Invitation {
  readonly sessionId: string;
  readonly role: Builder;
  readonly code: string;
}

/** Where a mission is played: nothing here knows a transport. */
export interface Stage {
  readonly owner: OwnerFace;
  /** Redeems the invitation and returns what its holder can call. */
  readonly agents: (invitation: Invitation) => Promise<AgentFace>;
}

/** One step that was taken, with its answer. */
export interface Played {
  readonly sessionId: string;
  /** Counted from 0. */
  readonly index: number;
  readonly step: Step;
  readonly result: Json;
}

export interface Cast {
  readonly sessionId: string;
  readonly agents: Readonly<Record<Builder, AgentFace>>;
}

/**
 * Plays a mission from the first invitation to the end of its discussion.
 *
 * Each step starts when the one before it was answered, and a turn is posted only after wait_for_my_turn has granted
 * it; there is no pause of its own. A slow `onStep` sets the pace.
 *
 * @throws whatever a face rejects with; Error when a turn is not granted
 */
export async function playMission(
  mission: Mission,
  stage: Stage,
  onStep: (played: Played) => void | Promise<void> = () => {},
): Promise<Cast> {
  const cast = await gatherAgents(mission.session, stage);
  for (const [index, step] of mission.discussion.entries()) {
    const result = await takeStep(step, stage.owner, cast);
    await onStep({ sessionId: cast.sessionId, index, step, result });
  }
  return cast;
}

const Decisions = z.array(z.object({ decision_id: z.string(), status: z.string() }));

/** Reads where the session stands, in the form of a mission's `outcome`. */
export async function readOutcome(agent: AgentFace): Promise<Json> {
  const state = await agent('read_session_state', {});
  const { decisions } = await agent('list_decisions', {});
  return {
    phase: state.phase,
    contract_author: state.contract_author,
    turns: state.turn_index,
    decisions: Object.fromEntries(Decisions.parse(decisions).map(({ decision_id, status }) => [decision_id, status])),
  } satisfies Record<keyof Outcome, unknown>;
}

/** Creates the session, invites both agents, lets them redeem, and starts it. */
export async function gatherAgents(session: Mission['session'], stage: Stage): Promise<Cast> {
  const created = await stage.owner.createSession(session);
  const sessionId = textOf(created, 'session_id');
  const join = async (role: Builder): Promise<AgentFace> => {
    const invitation = await stage.owner.call('invite', sessionId, { role });
    return stage.agents({ sessionId, role, code: textOf(invitation, 'code') });
  };
  const agents = { agent_a: await join('agent_a'), agent_b: await join('agent_b') };
  await stage.owner.call('start', sessionId, {});
  return { sessionId, agents };
}

async function takeStep({ by, call, input }: Step, owner: OwnerFace, { sessionId, agents }: Cast): Promise<Json> {
  if (by === 'owner') return owner.call(call, sessionId, input);
  if (call === 'post_turn') await waitForTurn(by, agents[by]);
  return agents[by](call, input);
}

/** The steps come one after another, so a turn that is not granted now can only come from the owner resuming. */
async function waitForTurn(role: Builder, agent: AgentFace): Promise<void> {
  let state = await agent('wait_for_my_turn', { wait: 25 });
  while (state.status === 'PAUSED' && state.timed_out === true) state = await agent('wait_for_my_turn', { wait: 25 });
  if (state.your_turn !== true) throw new Error(`${role} was to post a turn, but ${describeTurn(state)}.`);
}

const describeTurn = ({ status, next_agent, turn_index }: Json): string =>
  `the session is ${String(status)} and turn ${String(turn_index)} belongs to ${String(next_agent ?? 'nobody')}`;

function textOf(answer: Json, member: string): string {
  const value = answer[member];
  if (typeof value !== 'string') throw new Error(`An answer lacks ${member}.`);
  return value;
}
