import { expect, inject, test, vi } from 'vitest';

const url = inject('databaseUrl');

test.runIf(url !== null)('the example runs to its end', async () => {
  vi.stubEnv('DATABASE_URL', url ?? '');
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await expect(import('../src/main.ts')).resolves.toBeTypeOf('object');
});
