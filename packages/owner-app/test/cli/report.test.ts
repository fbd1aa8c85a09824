import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { openArgued } from './spoken-session.ts';

describe('parley report', () => {
  test.each([
    [[], /^# Refunds\n/],
    [['--md'], /^# Refunds\n/],
    [['--html'], /^<!doctype html>\n/i],
  ])('with %j prints its form', async (flags, beginning) => {
    const { run, id } = await openArgued();
    const { code, out } = await run('report', id, ...flags);
    expect(code).toBe(EXIT.OK);
    expect(out).toMatch(beginning);
  });

  test('accepts only one format at a time', async () => {
    const { run, id } = await openArgued();
    const { code, err } = await run('report', id, '--md', '--html');
    expect(code).toBe(EXIT.USAGE);
    expect(err).toContain("option '--md' cannot be used with option '--html'");
  });
});
