import { expect, test } from 'vitest';
import { ParleyError } from '../../../src/index.ts';
import { createTestRandom, type OpenedSession, openSession } from '../../../src/testing/index.ts';
import { openInterventionsIn, whole } from '../../model/seen.ts';

type Step = (session: OpenedSession, pick: (below: number) => number) => Promise<unknown>;

const builder = (session: OpenedSession, pick: (below: number) => number) =>
  pick(2) === 0 ? session.agentA : session.agentB;
const role = (pick: (below: number) => number) => (pick(2) === 0 ? ('agent_a' as const) : ('agent_b' as const));

const STEPS: readonly Step[] = [
  async ({ agentA, agentB }, pick) => {
    const { next_agent } = await stateOf(agentA);
    await (next_agent === 'agent_b' ? agentB : agentA).call('post_turn', {
      summary: 'A turn.',
      converged: pick(3) > 0,
      questions: pick(4) === 0 ? ['Why?'] : [],
      proposed_decisions: pick(4) === 0 ? [{ topic: `T${pick(3)}`, position: `P${pick(3)}` }] : [],
    });
  },
  (session, pick) =>
    builder(session, pick).call('elect_contract_author', { candidate: role(pick), reason: `R${pick(2)}` }),
  (session, pick) => builder(session, pick).call('accept_decision', { decision_id: `d_${pick(6) + 1}` }),
  (session, pick) => builder(session, pick).call('answer_question', { question_id: `q_${pick(6) + 1}`, answer: 'So.' }),
  (session, pick) => builder(session, pick).call('ack_intervention', { intervention_id: `i_${pick(6) + 1}` }),
  (session, pick) =>
    builder(session, pick).call('answer_intervention', { intervention_id: `i_${pick(6) + 1}`, text: 'So.' }),
  (session, pick) => builder(session, pick).call('ack_action', { action_id: `act_${pick(6) + 1}` }),
  (session, pick) => builder(session, pick).call('complete_action', { action_id: `act_${pick(6) + 1}` }),
  ({ owner, sessionId }, pick) => owner.ask(sessionId, { targets: [role(pick)], text: 'Why?', blocking: true }),
  ({ owner, sessionId }, pick) => owner.direct(sessionId, { targets: [role(pick)], text: 'Do.' }),
  ({ owner, sessionId }, pick) => owner.assignAction(sessionId, { target: role(pick), text: 'Do.' }),
  ({ owner, sessionId }, pick) =>
    pick(3) === 0 ? owner.pause(sessionId, { reason: 'Rest.' }) : owner.resume(sessionId),
  ({ owner, sessionId }) => owner.resume(sessionId),
];

/**
 * Checks that the instruction names `wait_for_my_turn` only if the state view shows no work, and each of the other
 * tools below only if the state view shows work for this tool.
 */
function expectRight(state: Awaited<ReturnType<typeof stateOf>>): void {
  const interventions = openInterventionsIn(state);
  const hasWork =
    state.your_turn ||
    state.open_questions.length > 0 ||
    interventions.some(({ status }) => status === 'OPEN') ||
    state.pending_actions.some(({ status }) => status === 'PENDING');
  const { tool } = state.instruction;
  if (tool === 'wait_for_my_turn') expect(hasWork).toBe(false);
  if (tool === 'post_turn') expect(state.your_turn).toBe(true);
  if (tool === 'answer_question') expect(state.open_questions).not.toEqual([]);
  if (tool === 'ack_intervention' || tool === 'answer_intervention') expect(interventions).not.toEqual([]);
  if (tool === 'ack_action' || tool === 'complete_action') expect(state.pending_actions).not.toEqual([]);
}

const stateOf = async (agent: OpenedSession['agentA']) => whole(await agent.call('read_session_state'));

test.each(Array.from({ length: 10 }, (_, index) => index + 1))(
  'an instruction never names a call that is refused, nor waiting while there is work (walk %i)',
  async (seed) => {
    const session = await openSession({ session: { round_limit: 4 } });
    const random = createTestRandom(seed);
    const pick = (below: number): number => (random(1)[0] ?? 0) % below;
    for (let step = 0; step < 120; step += 1) {
      const take = STEPS[pick(STEPS.length)] ?? STEPS[0];
      await take?.(session, pick).catch((error: unknown) => {
        if (!(error instanceof ParleyError)) throw error;
      });
      expectRight(await stateOf(session.agentA));
      expectRight(await stateOf(session.agentB));
    }
    expect(await session.owner.verifyLog(session.sessionId)).toMatchObject({ ok: true });
  },
);
