import { describe, expect, test } from 'vitest';
import { signedHeaders, signingKey } from '../../src/server/notify/post.ts';

/** The test vector that the Standard Webhooks libraries use. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
const AT_MS = 1_614_265_330_000;

describe('a signature', () => {
  test('is that of Standard Webhooks', () => {
    expect(signedHeaders([SECRET], MESSAGE, AT_MS)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('exists for each secret, so that a secret can be replaced', () => {
    const other = `whsec_${'A'.repeat(32)}`;
    const { 'webhook-signature': both } = signedHeaders([other, SECRET], MESSAGE, AT_MS);
    const [first, second, ...rest] = both.split(' ');
    expect([first === second, second, rest]).toEqual([false, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', []]);
  });

  test('changes with the id, the second and the body', () => {
    const sign = (changes: Partial<typeof MESSAGE>, atMs = AT_MS) =>
      signedHeaders([SECRET], { ...MESSAGE, ...changes }, atMs)['webhook-signature'];
    const all = [sign({}), sign({ id: 'x' }), sign({ body: '{"test":2432232314}' }), sign({}, AT_MS + 1_000)];
    expect(new Set(all).size).toBe(4);
    expect(sign({}, AT_MS + 999)).toBe(sign({}));
  });
});

describe('a secret', () => {
  test.each([
    [24, 32],
    [32, 44],
    [64, 88],
  ])('has %s bytes', (bytes, chars) => {
    const text = Buffer.alloc(bytes, 7).toString('base64');
    expect(text).toHaveLength(chars);
    expect(signingKey(`whsec_${text}`)?.length).toBe(bytes);
  });

  test.each([
    ['too short', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
    ['too long', `whsec_${Buffer.alloc(65, 7).toString('base64')}`],
    ['without its prefix', Buffer.alloc(32, 7).toString('base64')],
    ['not base64', `whsec_${'*'.repeat(44)}`],
    ['of the alphabet for addresses', `whsec_${'-'.repeat(44)}`],
    ['without its padding', `whsec_${Buffer.alloc(32, 7).toString('base64').replace('=', '')}`],
    ['with a space', `whsec_${Buffer.alloc(32, 7).toString('base64')} `],
  ])('is none where it is %s', (_what, secret) => {
    expect(signingKey(secret)).toBeUndefined();
  });
});
