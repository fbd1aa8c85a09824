import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { answersQuestion, asksBuilders, finds, findsAndHolds, granted } from '../moderation.ts';
import { actionCompleted, elected, intervened, paused, taskAssigned } from '../past.ts';
import { play, submitted } from '../story.ts';

const status = (past: readonly PastEvent[]) => given(past).when('get_moderator_status', {}, 'moderator').reply();

describe('get_moderator_status', () => {
  test('shows everything, empty at first', () => {
    given()
      .when('get_moderator_status', {}, 'moderator')
      .thenReply({
        status: 'ACTIVE',
        phase: 'PLANNING',
        permissions: ['ask', 'find', 'hold', 'review', 'recommend'],
        stopped: false,
        entitled: true,
        acked_cursor: 0,
        head: 5,
        pending_actions: [],
        active_holds: [],
        open_findings: [],
        open_questions: [],
        expires_at: '2026-01-06T09:00:00.000Z',
      });
  });

  test('shows the status of the session and how far the moderator has read', () => {
    const ack: PastEvent = { kind: 'events.acknowledged', actor: 'moderator', data: { cursor: 6 } };
    expect(status([...elected('agent_a'), paused, ack])).toMatchObject({
      status: 'PAUSED',
      phase: 'CONTRACT',
      acked_cursor: 6,
      head: 8,
    });
  });

  test('shows the current permissions', () => {
    expect(status([granted('find')]).permissions).toEqual(['find']);
    expect(status([granted()]).permissions).toEqual([]);
  });

  test('lists its actions that are not completed', () => {
    const past = [
      taskAssigned('act_1', 'moderator'),
      taskAssigned('act_2', 'moderator'),
      taskAssigned('act_3', 'agent_a'),
    ];
    const done = [...past, actionCompleted('moderator', 'act_1')];
    expect(status(done).pending_actions.map(({ action_id }) => action_id)).toEqual(['act_2']);
  });

  test('lists its own findings that are open, and every hold that is active', () => {
    const past = play(submitted, [
      ['agent_b', 'submit_finding', { text: 'No error for an unknown article.' }],
      finds(),
      findsAndHolds,
      ['moderator', 'request_hold', { finding_id: 'f_1', reason: 'Not without an error.' }],
      ['moderator', 'resolve_finding', { finding_id: 'f_2', outcome: 'RESOLVED' }],
    ]);
    const { open_findings, active_holds } = status(past);
    expect(open_findings.map(({ finding_id }) => finding_id)).toEqual(['f_3']);
    expect(active_holds.map(({ hold_id, finding_id }) => [hold_id, finding_id])).toEqual([
      ['h_1', 'f_3'],
      ['h_2', 'f_1'],
    ]);
  });

  test('lists its own questions until all have answered', () => {
    const asked = play(
      [intervened('i_1')],
      [asksBuilders(), asksBuilders({ text: 'Who tries it?' }), answersQuestion('agent_a', 'i_2')],
    );
    const open = (past: readonly PastEvent[]) =>
      status(past).open_questions.map(({ intervention_id }) => intervention_id);
    expect(open(asked)).toEqual(['i_2', 'i_3']);
    expect(open(play(asked, [answersQuestion('agent_b', 'i_2')]))).toEqual(['i_3']);
  });
});
