import { expect, test } from 'vitest';
import { refuseLongTests } from '../../scripts/vitest/hardening.ts';

const LEFT_OUT = 'npm test leaves these out. Run: npx vitest run -c vitest.hardening.config.ts';

test('a run that names long tests is refused with the command that runs them', () => {
  const run = (...files: readonly string[]) => refuseLongTests(['node', 'vitest', 'run', ...files]);
  expect(() => run('packages/owner-app/test/cli/backup.test.ts', 'test/workspace/readme.test.ts')).toThrow(
    new Error(`${LEFT_OUT} packages/owner-app/test/cli/backup.test.ts`),
  );
  expect(() => run('packages/core/test/model/walk.test.ts')).toThrow(
    new Error(`${LEFT_OUT} packages/core/test/model/walk.test.ts`),
  );
  expect(() => run('test/workspace/readme.test.ts')).not.toThrow();
  expect(() => run()).not.toThrow();
});
