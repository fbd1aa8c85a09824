import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { given } from '../../src/testing/index.ts';
import { paused, proposed } from '../past.ts';

const input = { topic: 'Store', position: 'PostgreSQL 15' };

describe('given', () => {
  test('numbers its events from 6, or from 5 in DRAFT', () => {
    const head = (isStarted: boolean) =>
      given([proposed('agent_a', 'd_1')], { isStarted })
        .when('view', {}, 'owner')
        .reply().head.seq;
    expect([head(true), head(false)]).toEqual([6, 5]);
  });

  test('starts every call from the same past', () => {
    const session = given();
    session.when('submit_decision', input, 'agent_a').reply();
    session.when('list_decisions', {}, 'agent_a').thenReply({ decisions: [] });
  });

  test('refuses an event that the log could not hold', () => {
    const broken = { kind: 'decision.accepted', actor: 'agent_a', data: { decision: 'd_1' } };
    expect(() => given([broken as never])).toThrow('decision_id');
  });
});

describe('then', () => {
  const proposes = () => given().when('submit_decision', input, 'agent_a');
  const fails = () => given([paused]).when('submit_decision', input, 'agent_a');

  test.each([
    ['thenEvents, for other events', () => proposes().thenEvents()],
    ['thenEvents, for other data', () => proposes().thenEvents(proposed('agent_a', 'd_2'))],
    ['thenEvents, for a refusal', () => fails().thenEvents()],
    [
      'thenReply, for another reply',
      () =>
        given()
          .when('poll_actions', {}, 'agent_a')
          .thenReply({ actions: [{} as never] }),
    ],
    ['thenReply, for a refusal', () => fails().thenReply({} as never)],
    ['thenFails, for a success', () => proposes().thenFails('SESSION_NOT_ACTIVE')],
    ['thenFails, for another code', () => fails().thenFails('SESSION_ENDED')],
    ['thenFails, for other details', () => fails().thenFails('SESSION_NOT_ACTIVE', { status: 'DRAFT' })],
    ['reply, for a refusal', () => fails().reply()],
    ['events, for a refusal', () => fails().events()],
    ['refusal, for a success', () => proposes().refusal()],
  ])('throws: %s', (_what, check) => {
    expect(check).toThrow(AssertionError);
  });
});
