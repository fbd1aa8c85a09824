import { expect, test } from 'vitest';
import { CliError, EXIT } from '../../../src/cli/exit-codes.ts';
import { withinTime } from '../../../src/cli/within-time.ts';

const refuse = (): never => {
  throw new CliError(EXIT.USAGE, 'Takes too long.');
};

test('ends work without an end, a pattern too, and work that nests too deeply; passes on results and other errors', () => {
  const deep = (): number => deep() + 1;
  const loop = (): never => {
    for (;;);
  };
  const pattern = (): boolean => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`);
  for (const work of [loop, pattern, deep])
    expect(() => withinTime<unknown>(work, refuse, 50)).toThrow('Takes too long.');
  expect(withinTime(() => 7, refuse)).toBe(7);
  expect(() => withinTime(() => JSON.parse('{'), refuse)).toThrow(SyntaxError);
});
