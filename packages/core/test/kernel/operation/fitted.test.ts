import { describe, expect, test } from 'vitest';
import { fitRoute, fitTool } from '../../../src/kernel/operation/bounded-lists.ts';
import { replyOf } from '../../../src/kernel/operation/host-port.ts';

const read = { rest: 'GET messages' } as const;

const overMcp = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));

describe('a result that fits', () => {
  test('is returned unchanged', () => {
    const reply = replyOf({ messages: ['x'.repeat(400_000)] });
    expect(fitTool(reply, read)).toBe(reply);
    expect(fitRoute(reply)).toBe(reply);
  });

  test('may be as long as an answer over REST', () => {
    const reply = replyOf({ messages: ['x'.repeat(999_983)] });
    expect(Buffer.byteLength(reply.text)).toBe(1_000_000);
    expect(fitRoute(reply)).toBe(reply);
  });
});

describe('a result that is too long for an answer', () => {
  const cut = 'The answer was too long: texts that end in "…" and some lists were cut.';

  test.each([
    ['letters', 'x'.repeat(600_000)],
    ['quotation marks', '"'.repeat(300_000)],
    ['characters of three bytes', '語'.repeat(300_000)],
    ['characters of four bytes', '😀'.repeat(200_000)],
  ])('keeps the beginning of a text of %s, and every short value', (_what, text) => {
    const body = { turn_index: 3, summary: text, concerns: ['short'] };
    const reply = fitTool(replyOf({ messages: [{ id: 7, body }], next_cursor: 7, more: true }), read);
    expect(overMcp(reply.text)).toBeLessThan(1_000_000);
    expect(overMcp(reply.text)).toBeGreaterThan(950_000);
    const answer = JSON.parse(reply.text);
    const { summary } = answer.messages[0].body;
    expect(answer).toEqual({
      messages: [{ id: 7, body: { turn_index: 3, summary, concerns: ['short'] } }],
      next_cursor: 7,
      more: true,
      left_out: { count: 1, how: `${cut} Over REST, GET messages can contain twice as much text.` },
    });
    expect(summary.endsWith('…')).toBe(true);
    expect(text.startsWith(summary.slice(0, -1))).toBe(true);
  });

  test('divides the remaining bytes among the long values', () => {
    const reply = fitRoute(replyOf({ a: 'a'.repeat(900_000), b: 'b'.repeat(900_000), c: 'c'.repeat(1_000) }));
    const { a, b, c, left_out } = JSON.parse(reply.text);
    expect([a.length, b.length]).toEqual([a.length, a.length]);
    expect(a.length).toBeGreaterThan(490_000);
    expect([c.length, left_out.count]).toEqual([1_000, 2]);
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(1_000_000);
  });

  test('cuts the end of a list of many short records', () => {
    const reply = fitRoute(replyOf({ values: Array.from({ length: 300_000 }, (_, index) => index) }));
    const { values, left_out } = JSON.parse(reply.text);
    expect(values.slice(0, 3)).toEqual([0, 1, 2]);
    expect(values.length).toBeGreaterThan(50_000);
    expect(left_out.count).toBe(1);
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(1_000_000);
  });

  test('cuts an object whose members have long names', () => {
    const named = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`${index}${'n'.repeat(200_000)}`, 1]));
    const reply = fitRoute(replyOf({ named }));
    expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(1_000_000);
    expect(Object.keys(JSON.parse(reply.text).named).length).toBeGreaterThan(3);
  });

  test('also reports what was left out before', () => {
    const left_out = { count: 4, how: 'Call list with after: 5.' };
    const reply = fitRoute(replyOf({ a: 'a'.repeat(1_200_000), left_out }));
    expect(JSON.parse(reply.text).left_out).toEqual({
      count: 5,
      how: `4: Call list with after: 5. 1: ${cut} The log contains the complete texts.`,
    });
  });
});
