import { expect, test, vi } from 'vitest';
import { processTerminal } from '../../../src/cli/terminal.ts';
import { UNLIMITED } from '../../../src/text/page.ts';

test('an output that is no terminal has no width, even if COLUMNS is set', () => {
  vi.stubEnv('COLUMNS', '40');
  expect(processTerminal().columns).toBe(UNLIMITED);
  vi.unstubAllEnvs();
});
