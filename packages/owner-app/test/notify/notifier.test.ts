import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createTestClock } from '@parley/core/testing';
import { describe, expect, test } from 'vitest';
import { createOutbox, type Item } from '../../src/server/notify/deliveries.ts';
import type { DeliveryResult } from '../../src/server/notify/post.ts';
import { certify, review } from './certified.ts';
import { answering, type Received } from './receiver.ts';
import { askOwner, bodyOf, FAILED, openAnother, openTold } from './running-notifier.ts';

/** Checks the signature as a receiver would, independently of the tested code. */
function isSigned({ headers, body }: Received): boolean {
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

/** Input of `pause`. A test pauses the session before it advances the clock, so that no agent counts as absent. */
const PAUSE = { reason: 'Lunch.' };

describe('the owner is told', () => {
  test('once of a question, a certified revision, a recommendation and a hold', async () => {
    const told = await openTold();
    const { agentA, moderator, owner, sessionId, receiver } = told;
    await askOwner(told);
    await receiver.until(1);
    await owner.answerQuestion(sessionId, { question_id: 'q_1', text: 'Port 8080.' });
    await certify(told);
    await receiver.until(2);
    await moderator.call('recommend_to_owner', { recommendation: 'APPROVE', text: 'Do it.' });
    await receiver.until(3);
    await moderator.call('submit_moderator_finding', {
      category: 'SAFETY',
      text: 'Nothing undoes it.',
      resolution_criteria: 'A rollback.',
      request_hold: true,
      hold_reason: 'Not without a rollback.',
    });
    await receiver.until(4);
    await agentA.call('respond_finding', { finding_id: 'f_1', decision: 'REJECT', response: 'It is there.' });
    await told.allTold();
    await told.restart();
    await moderator.call('recommend_to_owner', { recommendation: 'PAUSE', text: 'Rather wait.' });
    await told.allTold();
    expect(told.ids()).toEqual([
      'QUESTION:q_1:1',
      'APPROVAL:r_1:1',
      'RECOMMENDATION:rec_1:1',
      'HOLD:h_1:1',
      'RECOMMENDATION:rec_2:1',
    ]);
    expect(receiver.received.map(isSigned)).toEqual([true, true, true, true, true]);
  });

  test('with a body of codes, ids, the title and a link', async () => {
    const told = await openTold();
    await askOwner(told, 'agentA', 'A secret thing?');
    await told.allTold();
    const { sessionId } = told;
    expect(bodyOf(told, 0)).toEqual({
      type: 'owner.waiting',
      id: `${sessionId}:QUESTION:q_1:1`,
      session_id: sessionId,
      at: '2026-01-05T09:00:00.000Z',
      title: 'Orders and stock',
      kind: 'QUESTION',
      record: { type: 'question', id: 'q_1' },
      text: 'Answer question q_1, which agent_a asked.',
      blocking: true,
      url: `https://parley.example.com/owner/sessions/${sessionId}`,
      record_url: `https://parley.example.com/owner/sessions/${sessionId}/q_1`,
    });
    expect(told.receiver.received[0]?.headers).toMatchObject({
      'webhook-id': `${sessionId}:QUESTION:q_1:1`,
      'webhook-timestamp': '1767603600',
    });
  });

  test('again, with another id, of a revision that lost its certification and was certified again', async () => {
    const told = await openTold();
    await certify(told);
    await told.allTold();
    await review(told, 'agent_b', 'REQUEST_CHANGES');
    await review(told, 'agent_b');
    await told.receiver.until(2);
    await told.allTold();
    expect(told.ids()).toEqual(['APPROVAL:r_1:1', 'APPROVAL:r_1:2']);
  });

  test('again of a task that ended and reappeared while its notice was being delivered', async () => {
    const held: ServerResponse[] = [];
    const told = await openTold({
      answer: (response, _request, index) => void (index === 0 ? held.push(response) : response.end()),
    });
    await certify(told);
    await told.receiver.until(1);
    await review(told, 'agent_b', 'REQUEST_CHANGES');
    await new Promise(setImmediate);
    await review(told, 'agent_b');
    held[0]?.writeHead(204).end();
    await told.receiver.until(2);
    await told.allTold();
    expect(told.ids()).toEqual(['APPROVAL:r_1:1', 'APPROVAL:r_1:2']);
  });

  test('after a start of tasks that appeared while no notifier ran', async () => {
    const told = await openTold();
    await told.closeNotifier();
    await askOwner(told);
    expect(told.ids()).toEqual([]);
    await told.restart();
    await told.allTold();
    expect(told.ids()).toEqual(['QUESTION:q_1:1']);
  });
});

describe('a notice that does not arrive', () => {
  test('is sent again with the same id, the same body and a new signature', async () => {
    const told = await openTold({ answer: answering(500, 302) });
    await askOwner(told);
    await told.says(FAILED);
    told.clock.advance(4_999);
    expect(told.receiver.received).toHaveLength(1);
    told.clock.advance(1);
    await told.says(FAILED, 2);
    told.clock.advance(10_000);
    await told.allTold();
    expect(told.ids()).toEqual(['QUESTION:q_1:1', 'QUESTION:q_1:1', 'QUESTION:q_1:1']);
    const { received } = told.receiver;
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    expect(received.map(({ headers }) => headers['webhook-timestamp'])).toEqual([
      '1767603600',
      '1767603605',
      '1767603615',
    ]);
    expect(received.map(isSigned)).toEqual([true, true, true]);
  });

  test('waits as long as the receiver asks it to', async () => {
    const told = await openTold({
      answer: (response, _request, index) =>
        void response.writeHead(index === 0 ? 429 : 204, { 'retry-after': '30' }).end(),
    });
    await askOwner(told);
    await told.says(FAILED);
    told.clock.advance(29_999);
    expect(told.receiver.received).toHaveLength(1);
    told.clock.advance(1);
    await told.allTold();
    expect(told.ids()).toHaveLength(2);
  });

  test('is dropped when its task no longer waits', async () => {
    const told = await openTold({ answer: answering(500) });
    await askOwner(told);
    await told.says(FAILED);
    await told.owner.answerQuestion(told.sessionId, { question_id: 'q_1', text: 'One.' });
    told.clock.advance(5_000);
    await askOwner(told, 'agentB');
    await told.allTold();
    expect(told.ids()).toEqual(['QUESTION:q_1:1', 'QUESTION:q_2:1']);
  });

  test('is dropped with its session', async () => {
    const told = await openTold({ answer: answering(500) });
    const another = await openAnother(told);
    await askOwner(told);
    await told.says(FAILED);
    await told.owner.deleteSession(told.sessionId);
    told.clock.advance(5_000);
    await askOwner(another);
    await told.receiver.until(2);
    expect(told.ids()).toEqual(['QUESTION:q_1:1', `${another.sessionId}:QUESTION:q_1:1`]);
  });

  test('is given up after three days, until the next start', async () => {
    const told = await openTold({ answer: (response) => void response.writeHead(500).end() });
    await askOwner(told);
    await told.owner.pause(told.sessionId, PAUSE);
    for (let attempts = 1; attempts <= 72; attempts += 1) {
      await told.says(FAILED, attempts);
      told.clock.advance(3_600_000);
    }
    await told.says('a notice was not delivered and will not be sent again');
    expect(told.ids()).toHaveLength(73);
    told.clock.advance(24 * 3_600_000);
    const another = await openAnother(told);
    await askOwner(another);
    await told.receiver.until(74);
    expect(told.ids().at(-1)).toBe(`${another.sessionId}:QUESTION:q_1:1`);
    await told.restart();
    await told.receiver.until(76);
    expect(told.ids().slice(-2)).toContain('QUESTION:q_1:1');
  });

  test('is the last one when the receiver answers 410', async () => {
    const told = await openTold({ answer: answering(410) });
    await askOwner(told);
    await told.says('answered 410');
    await askOwner(told, 'agentB');
    await told.owner.pause(told.sessionId, PAUSE);
    told.clock.advance(3_600_000);
    await told.restart();
    await told.receiver.until(2);
    await told.allTold();
    expect(told.ids().toSorted()).toEqual(['QUESTION:q_1:1', 'QUESTION:q_1:1', 'QUESTION:q_2:1']);
    expect(told.log.filter((line) => line.includes('answered 410'))).toHaveLength(1);
  });
});

test('a notice whose delay ends while four deliveries hang is sent once, also if its session changes before', async () => {
  const clock = createTestClock();
  const sent: string[] = [];
  const open: ((result: DeliveryResult) => void)[] = [];
  const itemOf = (id: string): Item => ({ session_id: id });
  const outbox = createOutbox({
    noun: 'a notice',
    idOf: ({ session_id }) => session_id,
    due: async (id) => [itemOf(id)],
    send: ({ session_id }) => {
      sent.push(session_id);
      return new Promise((resolve) => open.push(resolve));
    },
    record: async () => undefined,
    clock,
    random: () => 0,
    log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  });
  for (const id of ['one', 'two', 'three', 'four']) outbox.take(id, [itemOf(id)], 0);
  outbox.take('late', [itemOf('late')], 1_000);
  clock.advance(1_000);
  outbox.take('late', [itemOf('late')], 0);
  await expect.poll(() => sent).toHaveLength(4);
  for (const resolve of open.splice(0)) resolve({ result: 'taken' });
  await expect.poll(() => outbox.sessions()).toEqual(['late']);
  await new Promise(setImmediate);
  expect(sent).toEqual(['one', 'two', 'three', 'four', 'late']);
  for (const resolve of open.splice(0)) resolve({ result: 'taken' });
  await outbox.close();
});
