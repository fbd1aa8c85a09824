import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { showAnswer } from '../../src/cli/print/answer-view.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { openArgued } from './spoken-session.ts';

describe('parley report', () => {
  test.each([
    [[], /^Refunds\n/],
    [['--md'], /^# Refunds\n/],
    [['--html'], /^<!doctype html>\n/i],
  ])('with %j prints its form', async (flags, beginning) => {
    const { run, id } = await openArgued();
    const { code, out } = await run('report', id, ...flags);
    expect(code).toBe(EXIT.OK);
    expect(out).toMatch(beginning);
  });

  test('prints a text for reading, and Markdown with --md', async () => {
    const answer = { text: '# Refunds\n\n- `d_1` **Key**: \\<order\\_id\\>\n' };
    const terminal = fakeTerminal({}, 80);
    const shown = { terminal, url: '', sessionId: 'S' };
    expect(showAnswer('report', answer, { ...shown, input: {} })).toEqual(['Refunds', '', '- `d_1` Key: <order_id>']);
    expect(showAnswer('report', answer, { ...shown, input: { format: 'md' } })).toEqual([
      '# Refunds',
      '',
      '- `d_1` **Key**: \\<order\\_id\\>',
    ]);
  });

  test('writes a file with --out, and refuses to overwrite a file', async () => {
    const { run, id } = await openArgued();
    const file = join(await newFolder(), 'report.html');
    expect((await run('report', id, '--html', '--out', file)).out).toBe(`Wrote ${file}`);
    expect(await readFile(file, 'utf8')).toMatch(/^<!doctype html>\n/i);
    expect(await run('report', id, '--out', file)).toMatchObject({
      code: EXIT.REFUSED,
      err: `parley: ${file} exists already, and nothing was written. Name another file.`,
    });
  });

  test('accepts only one format at a time', async () => {
    const { run, id } = await openArgued();
    const { code, err } = await run('report', id, '--md', '--html');
    expect(code).toBe(EXIT.USAGE);
    expect(err).toContain("option '--md' cannot be used with option '--html'");
  });
});
