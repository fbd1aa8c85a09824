import { expect, test } from 'vitest';

test('the example runs to its end', async () => {
  await expect(import('../src/main.ts')).resolves.toBeTypeOf('object');
});
