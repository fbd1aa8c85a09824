import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import {
  accept,
  acknowledge,
  approve,
  assess,
  assign,
  atOnce,
  elected,
  find,
  findAsModerator,
  type Happening,
  heldToTheEnd,
  map,
  mapped,
  nominate,
  object,
  opened,
  propose,
  respond,
  submit,
} from '../happenings.ts';
import { held } from '../held.ts';

type Member = 'agentA' | 'agentB' | 'moderator';

interface Case {
  readonly what: string;
  readonly past: readonly Happening[];
  /** The call that ends the wait, because it gives the waiting role work. */
  readonly cause: Happening;
  readonly to: Member;
  /** The tool that the role's instruction names after `cause`. */
  readonly tool: string;
}

const postTurn: Happening = ({ agentA }) => agentA.call('post_turn', { summary: 'Nothing to add.' });

const CASES: readonly Case[] = [
  { what: 'a decision of the other agent', past: [], cause: propose, to: 'agentB', tool: 'accept_decision' },
  {
    what: 'its own decision, accepted by the other agent',
    past: [postTurn, propose],
    cause: accept('agentB'),
    to: 'agentA',
    tool: 'accept_decision',
  },
  {
    what: 'its election',
    past: elected.slice(0, -1),
    cause: nominate('agentB', 'agent_a'),
    to: 'agentA',
    tool: 'submit_contract',
  },
  {
    what: 'its revision, reviewed by both others',
    past: [...mapped, approve('agentB')],
    cause: assess,
    to: 'agentA',
    tool: 'submit_final_review',
  },
  { what: 'the revision of the author', past: elected, cause: submit, to: 'agentB', tool: 'submit_final_review' },
  { what: 'a response to its finding', past: [...mapped, find], cause: respond, to: 'agentB', tool: 'resolve_finding' },
  {
    what: 'nominations that differ',
    past: [nominate('agentA', 'agent_a')],
    cause: nominate('agentB', 'agent_b'),
    to: 'agentB',
    tool: 'elect_contract_author',
  },
  { what: 'a task of the owner', past: [], cause: assign('agent_b'), to: 'agentB', tool: 'ack_action' },
  {
    what: 'a response to the finding of the moderator',
    past: [...mapped, findAsModerator],
    cause: respond,
    to: 'moderator',
    tool: 'resolve_finding',
  },
];

const stateOf = (session: OpenedSession, to: Member) => session[to].call('read_session_state');
const wait = (session: OpenedSession, to: Member, after?: number) =>
  session[to].call('read_session_state', after === undefined ? { wait: 25 } : { wait: 25, after });

describe('a wait', () => {
  test.each(CASES)(
    'is answered at once while the instruction names work that the cursor does not show, and else held: $what',
    async ({ past, cause, to, tool }) => {
      const session = await opened(past);
      const before = await stateOf(session, to);
      await cause(session);
      const answer = { timed_out: false, instruction: { tool } };
      expect(await atOnce(session, wait(session, to))).toMatchObject(answer);
      expect(await atOnce(session, wait(session, to, before.cursor))).toMatchObject(answer);
      const { cursor, instruction } = await stateOf(session, to);
      expect(instruction.tool).toBe(tool);
      expect(await heldToTheEnd(session, wait(session, to, cursor))).toMatchObject({
        ...{ timed_out: true, cursor, instruction: { tool } },
      });
    },
  );
});

describe('a wait after a cursor', () => {
  test('is held after a question of its own, although the instruction names work that the cursor has shown', async () => {
    const session = await opened(elected);
    const { cursor, instruction } = await stateOf(session, 'agentA');
    expect(instruction.tool).toBe('submit_contract');
    const questions = ['Which port?', 'Which host?'];
    await session.agentA.call('answer_question', { question_id: '', answer: '', questions });
    const poll = wait(session, 'agentA', cursor);
    await held(session);
    await session.agentB.call('answer_question', { question_id: 'q_1', answer: '8080.' });
    expect(await poll).toMatchObject({ timed_out: false, instruction: { tool: 'submit_contract' } });
  });

  test.each(CASES)(
    'that read_messages returned is held as well, except for a task: $what',
    async ({ past, cause, to, tool }) => {
      const session = await opened([...past, cause]);
      const { next_cursor: after } = await session[to].call('read_messages');
      if (tool === 'ack_action') {
        expect(await atOnce(session, wait(session, to, after))).toMatchObject({
          pending_actions: [{ status: 'PENDING' }],
        });
        await acknowledge(session);
      }
      if (to === 'moderator') return;
      expect(await heldToTheEnd(session, wait(session, to, after))).toMatchObject({ timed_out: true });
    },
  );

  test('is ended by a message of another role, even if earlier work is still due', async () => {
    const session = await opened([...elected, submit]);
    const { cursor } = await stateOf(session, 'agentB');
    const poll = wait(session, 'agentB', cursor);
    await held(session);
    await map(session);
    expect(await poll).toMatchObject({ timed_out: false, instruction: { tool: 'submit_final_review' } });
  });

  test('is ended by a task of the owner, which is no message, and held again after the cursor of that answer', async () => {
    const session = await opened([propose]);
    const { cursor } = await stateOf(session, 'agentB');
    expect(cursor).toBe(9);
    const poll = wait(session, 'agentB', 9);
    await held(session);
    await assign('agent_b')(session);
    expect(await poll).toMatchObject({ timed_out: false, cursor: 10, pending_actions: [{ action_id: 'act_1' }] });
    expect(await heldToTheEnd(session, wait(session, 'agentB', 10))).toMatchObject({ timed_out: true, cursor: 10 });
  });

  test('names the next step to an agent that made the step before and sends the cursor of that time', async () => {
    const session = await opened([
      propose,
      ({ agentA }) => agentA.call('submit_decision', { topic: 'Cache', position: 'None' }),
    ]);
    const { cursor } = await stateOf(session, 'agentB');
    expect(cursor).toBe(10);
    await accept('agentB')(session);
    const answer = await atOnce(session, wait(session, 'agentB', 10));
    expect(answer).toMatchObject({ cursor: 11, timed_out: false, instruction: { tool: 'accept_decision' } });
    await heldToTheEnd(session, wait(session, 'agentB', 11));
  });

  test('is ended by a review that is due because the moderator was stopped, although builders do not see the stop', async () => {
    const session = await opened([...mapped, object]);
    const { cursor } = await stateOf(session, 'agentB');
    const poll = wait(session, 'agentB', cursor);
    await held(session);
    await session.owner.stopModerator(session.sessionId);
    const answer = await poll;
    expect(answer).toMatchObject({ timed_out: false, instruction: { tool: 'submit_final_review' } });
    expect(answer.cursor).toBeGreaterThan(cursor);
    await heldToTheEnd(session, wait(session, 'agentB', answer.cursor));
  });

  test.each(['read_session_state', 'wait_for_my_turn'] as const)('is held by %s in the same way', async (tool) => {
    const session = await opened([propose]);
    expect(await heldToTheEnd(session, session.agentB.call(tool, { wait: 25, after: 9 }))).toMatchObject({
      ...{ timed_out: true, instruction: { tool: 'accept_decision' } },
    });
    expect(await atOnce(session, session.agentB.call(tool, { wait: 25, after: 8 }))).toMatchObject({
      timed_out: false,
    });
    expect(await atOnce(session, session.agentB.call(tool, { wait: 25 }))).toMatchObject({ timed_out: false });
  });
});
