import { Command } from 'commander';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { flagsOf, inputOf } from '../../../src/cli/flags/flags.ts';

test.each([
  [['--sections', 'interfaces,tasks']],
  [['--sections', 'interfaces, tasks']],
  [['--sections', 'interfaces', '--sections', 'tasks']],
])('a flag for names of sections accepts commas: %j', (args) => {
  const flags = flagsOf(z.strictObject({ sections: z.array(z.string()) }));
  const command = new Command();
  for (const option of flags.flatMap(({ options }) => options)) command.addOption(option);
  command.parse(args, { from: 'user' });
  expect(inputOf(flags, command.opts())).toEqual({ sections: ['interfaces', 'tasks'] });
});
