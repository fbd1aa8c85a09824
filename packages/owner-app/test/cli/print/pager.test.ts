import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { printPages, withPager } from '../../../src/cli/print/answer.ts';
import { pagerOf, showInPager } from '../../../src/cli/terminal.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';

describe('the pager', () => {
  test.each([
    [{}, true, 'less'],
    [{ PAGER: 'most -s' }, true, 'most -s'],
    [{ PAGER: 'most -s' }, false, undefined],
    [{ PAGER: '' }, true, undefined],
    [{ PAGER: 'cat' }, true, undefined],
    [{ CI: 'true' }, true, undefined],
    [{ TERM: 'dumb' }, true, undefined],
  ])('of %j is, on a terminal (%j): %s', (environment, isTerminal, pager) => {
    expect(pagerOf(environment, isTerminal)).toBe(pager);
  });

  test('reads the text, and the answer says whether it is installed', async () => {
    const file = join(await newFolder(), 'shown');
    const environment = { PATH: process.env.PATH, FILE: file };
    expect(await showInPager('cat > "$FILE"', 'a\nb\n', environment)).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('a\nb\n');
    expect(await showInPager('exit 0', 'a\n'.repeat(200_000), environment)).toBe(true);
    expect(await showInPager('exit 127', 'a\n', environment)).toBe(false);
  });
});

describe('an answer', () => {
  const print = async ({ args = [] as string[], lines = ['a', 'b', 'c'], isInstalled = true }) => {
    const plain = fakeTerminal();
    const paged: string[] = [];
    const pager = async (text: string) => {
      if (isInstalled) paged.push(text);
      return isInstalled;
    };
    const terminal = { ...plain, rows: 3, pager };
    const command = withPager(new Command('plan'));
    command.action(() => printPages(terminal, command, { a: 1 }, () => [...lines]));
    await command.parseAsync([...args], { from: 'user' });
    return { paged, out: plain.output() };
  };

  test('that is as long as the terminal is shown in the pager', async () => {
    expect(await print({})).toEqual({ paged: ['a\nb\nc\n'], out: '' });
  });

  test.each([
    ['that is shorter', { lines: ['a', 'b'] }, 'a\nb'],
    ['with --no-pager', { args: ['--no-pager'] }, 'a\nb\nc'],
    ['with --json', { args: ['--json'] }, '{"a":1}'],
    ['without an installed pager', { isInstalled: false }, 'a\nb\nc'],
  ])('%s is printed', async (_case, given, out) => {
    expect(await print(given)).toEqual({ paged: [], out });
  });
});
