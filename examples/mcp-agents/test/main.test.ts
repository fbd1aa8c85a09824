import { expect, test, vi } from 'vitest';

test('the example runs to its end', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await expect(import('../src/main.ts')).resolves.toBeTypeOf('object');
});
