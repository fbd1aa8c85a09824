import { systemClock } from '@parley/core';
import { createTestClock } from '@parley/core/testing';
import { describe, expect, test } from 'vitest';
import { post } from '../../src/server/notify/post.ts';
import { type Answer, answering, startReceiver } from './receiver.ts';

const NEVER = new AbortController().signal;
const send = (url: string, { clock = systemClock, signal = NEVER } = {}) =>
  post({ url, headers: { 'webhook-id': 'n_1' }, body: '{"ü":1}' }, clock, signal);

async function outcomeOf(answer: Answer) {
  const receiver = await startReceiver(answer);
  return { outcome: await send(receiver.url), received: receiver.received };
}

describe('one attempt', () => {
  test('posts the exact body', async () => {
    const { outcome, received } = await outcomeOf(answering(200));
    expect(outcome).toEqual({ result: 'taken' });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/hooks/parley',
        headers: {
          'content-type': 'application/json',
          'content-length': '8',
          'webhook-id': 'n_1',
          'user-agent': 'parley',
        },
        body: '{"ü":1}',
      },
    ]);
  });

  test.each([200, 201, 202, 204, 299])('has arrived when it is answered with %s', async (status) => {
    expect((await outcomeOf(answering(status))).outcome).toEqual({ result: 'taken' });
  });

  test.each([300, 304, 400, 401, 404, 409, 500, 503])('has failed when it is answered with %s', async (status) => {
    expect((await outcomeOf(answering(status))).outcome).toEqual({
      result: 'failed',
      reason: `answered ${status}`,
      retryAfterMs: 0,
    });
  });

  test('is the last one when it is answered with 410', async () => {
    expect((await outcomeOf(answering(410))).outcome).toEqual({ result: 'gone' });
  });

  test.each([301, 302, 303, 307, 308])('follows no redirect of status %s', async (status) => {
    const elsewhere = await startReceiver();
    const { outcome } = await outcomeOf(
      (response) => void response.writeHead(status, { location: elsewhere.url }).end(),
    );
    expect(outcome).toMatchObject({ result: 'failed', reason: `answered ${status}` });
    expect(elsewhere.received).toEqual([]);
  });

  test.each([
    ['120', 120_000],
    ['86400', 3_600_000],
    ['-5', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ])('heeds Retry-After: %s', async (text, retryAfterMs) => {
    const { outcome } = await outcomeOf((response) => void response.writeHead(429, { 'retry-after': text }).end());
    expect(outcome).toEqual({ result: 'failed', reason: 'answered 429', retryAfterMs });
  });

  test('does not wait for the end of an answer', async () => {
    const { outcome } = await outcomeOf((response) => void response.writeHead(200).write('and so on'));
    expect(outcome).toEqual({ result: 'taken' });
  });

  test('fails after ten seconds without an answer', async () => {
    const clock = createTestClock();
    const receiver = await startReceiver(() => undefined);
    const sent = send(receiver.url, { clock });
    await receiver.until(1);
    clock.advance(9_999);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    expect(await sent).toEqual({ result: 'failed', reason: 'no answer within 10 s', retryAfterMs: 0 });
  });

  test('fails with an error code and without the address if no server listens', async () => {
    const receiver = await startReceiver((response) => void response.destroy());
    expect(await send(receiver.url)).toEqual({ result: 'failed', reason: 'ECONNRESET', retryAfterMs: 0 });
    expect(await send('http://127.0.0.1:1/secret')).toEqual({
      result: 'failed',
      reason: 'ECONNREFUSED',
      retryAfterMs: 0,
    });
  });

  test('is aborted by its signal', async () => {
    const leaving = new AbortController();
    const receiver = await startReceiver(() => leaving.abort());
    expect(await send(receiver.url, { signal: leaving.signal })).toMatchObject({
      result: 'failed',
      reason: 'ABORT_ERR',
    });
  });
});
