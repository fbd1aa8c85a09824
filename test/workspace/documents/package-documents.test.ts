import { afterAll, describe, expect, test } from 'vitest';
import { createNewcomer } from '../support/newcomer.ts';
import { snippetsOf, snippetUnder } from '../support/snippets.ts';

/** Time limit of a program of a document: its start compiles TypeScript, which takes long on a busy machine. */
const SLOW_MS = 60_000;

const newcomer = createNewcomer();

afterAll(() => newcomer.leave());

describe('packages/core/README.md', () => {
  const snippets = snippetsOf('packages/core/README.md');

  test('has no block beyond the installation and the program that runs here', () => {
    expect(snippets.map(({ language, code }) => [language, code.split('\n')[0]])).toEqual([
      ['sh', 'npm install @parley/core'],
      ['js', "import { createMemoryStorage, createParley } from '@parley/core';"],
    ]);
  });

  test(
    'its program prints what its comment says',
    async () => {
      const { code, out, err } = await newcomer.program(snippetUnder(snippets, '@parley/core', 'js'));
      expect({ code, out, err }).toEqual({ code: 0, out: 'post_turn\n', err: '' });
    },
    SLOW_MS,
  );
});
