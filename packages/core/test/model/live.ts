import type { CreateSession } from '../../src/areas/owner/session.ts';
import { ownerOperations } from '../../src/areas/owner-registry.ts';
import { ParleyError } from '../../src/index.ts';
import { type OpenedSession, openSession, seenIn } from '../../src/testing/index.ts';
import { REQUIREMENTS } from './contracts.ts';
import { type Seen, whole } from './seen.ts';
import { type Call, needsSeen } from './world.ts';

export const openLive = (session: Pick<CreateSession, 'round_limit' | 'first_turn' | 'profile'>, isStarted = true) =>
  openSession({ session: { requirements: REQUIREMENTS, ...session }, isStarted });

/** The views of a real Parley, in the form of the model's views. */
export async function seenLive({ agentA, agentB, moderator, owner, sessionId }: OpenedSession): Promise<Seen> {
  const states = {
    agent_a: whole(await agentA.call('read_session_state')),
    agent_b: whole(await agentB.call('read_session_state')),
  };
  const seenByModerator = await moderatorOf(moderator);
  const artifacts = { agent_a: await agentA.call('list_artifacts'), agent_b: await agentB.call('list_artifacts') };
  const readiness = {
    agent_a: await agentA.call('get_readiness_questions'),
    agent_b: await agentB.call('get_readiness_questions'),
  };
  const next = {
    agent_a: (await agentA.call('verify_next')).items,
    agent_b: (await agentB.call('verify_next')).items,
  };
  const view = await owner.view(sessionId);
  const blockers = await agentA.call('list_blockers');
  const { findings } = await agentA.call('list_findings');
  const { preflight } = await agentB.call('get_preflight');
  const plan = await agentB.call('get_final_plan');
  return {
    state: (role) => states[role],
    session: () => view.state,
    moderator: () => seenByModerator,
    artifacts: (role) => artifacts[role],
    readiness: (role) => readiness[role],
    next: (role) => next[role],
    view: () => view,
    blockers: () => blockers,
    findings: () => findings,
    preflight: () => preflight,
    plan: () => plan,
  };
}

async function moderatorOf(moderator: OpenedSession['moderator']): Promise<ReturnType<Seen['moderator']>> {
  try {
    return {
      refused: null,
      state: whole(await moderator.call('read_session_state')),
      status: await moderator.call('get_moderator_status'),
      page: await moderator.call('get_session_events'),
    };
  } catch (error) {
    if (error instanceof ParleyError) return { refused: error.code };
    throw error;
  }
}

/**
 * Makes a call on a real Parley, not on the model.
 *
 * @throws ParleyError if the call is refused
 */
export async function makeLive({ parley, tokens, owner, sessionId }: OpenedSession, call: Call): Promise<void> {
  const { by, name, input } = call;
  if (name === 'setEntitlement') await owner.setModeratorEntitlement({ entitled: input.entitled === true });
  else if (by === 'owner') {
    const isBound = ownerOperations.some((operation) => operation.name === name && needsSeen(operation));
    await owner.call(name, sessionId, isBound ? { seen: await seenIn(owner, sessionId), ...input } : input);
  } else await parley.agent(tokens[by]).call(name as never, input as never);
}
