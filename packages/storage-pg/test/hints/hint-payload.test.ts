import { describe, expect, test } from 'vitest';
import { packHints, readHint } from '../../src/hints/hints.ts';

describe('hint payloads', () => {
  test('stay below the limit of the database and contain every id', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `session ${index} "é漢"`);
    const payloads = packHints('me', ids);
    expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
    expect(payloads.length).toBeLessThan(12);
    expect(payloads.flatMap((payload) => readHint(payload, 'you'))).toEqual(ids);
  });

  test('without ids mean that any session may have changed', () => {
    expect(packHints('me', []).map((payload) => readHint(payload, 'you'))).toEqual([[]]);
  });

  test('of the reader itself, and of other programs on the channel, are ignored', () => {
    expect(packHints('me', ['s1']).map((payload) => readHint(payload, 'me'))).toEqual([null]);
    expect(['', 'hello', '[1,2]', '["x', '{}'].map((payload) => readHint(payload, 'me'))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
