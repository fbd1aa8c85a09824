import { describe, expect, test } from 'vitest';
import { given, type PastEvent } from '../../src/testing/index.ts';
import { ended, taskAssigned, turnPosted } from '../past.ts';

const acked = (cursor: number): PastEvent => ({ kind: 'events.acknowledged', actor: 'moderator', data: { cursor } });
const twoTurns = [turnPosted('agent_a', 0), turnPosted('agent_b', 1)];

const ack = (past: readonly PastEvent[], cursor: number) => given(past).when('ack_events', { cursor }, 'moderator');

describe('ack_events', () => {
  test('moves the cursor and does not change the head', () => {
    ack(twoTurns, 6).thenEvents(acked(6)).thenReply({ acked_cursor: 6, head: 7 });
  });

  test('moves it up to the head', () => {
    ack(twoTurns, 7).thenEvents(acked(7)).thenReply({ acked_cursor: 7, head: 7 });
    ack([...twoTurns, acked(6)], 7)
      .thenEvents(acked(7))
      .thenReply({ acked_cursor: 7, head: 7 });
  });

  test('moves the cursor after the end, up to the end itself', () => {
    ack([...twoTurns, ended], 8)
      .thenEvents(acked(8))
      .thenReply({ acked_cursor: 8, head: 8 });
  });

  test.each([0, 5, 6])('changes nothing at %i, which is not above the acknowledged cursor', (cursor) => {
    ack([...twoTurns, acked(6)], cursor)
      .thenEvents()
      .thenReply({ acked_cursor: 6, head: 7 });
  });

  test('refuses a number above the head, and names the member', () => {
    ack(twoTurns, 8).thenFails('INVALID_INPUT', {
      issues: [{ path: 'cursor', message: 'Must be at most 7, the latest id you can see.' }],
    });
  });

  test('refuses the number of a hidden event above the head', () => {
    ack([...twoTurns, taskAssigned('act_1', 'agent_a')], 8).thenFails('INVALID_INPUT');
  });

  test('refuses the number of its own acknowledgement as a cursor', () => {
    ack([...twoTurns, acked(7)], 8).thenFails('INVALID_INPUT');
  });

  test('accepts the number of a hidden event below the head', () => {
    ack([taskAssigned('act_1', 'agent_a'), ...twoTurns], 6).thenReply({ acked_cursor: 6, head: 8 });
  });

  test.each([-1, 1.5, 'x', undefined])('refuses the cursor %j', (cursor) => {
    const { issues } = given()
      .when('ack_events', { cursor } as never, 'moderator')
      .refusal();
    expect(issues).toMatchObject([{ path: 'cursor' }]);
  });
});
