import { expect, test } from 'vitest';
import { repeatedLine } from '../../src/cli/flags/command-line.ts';

test('the line that repeats a call has a flag without a value for what is true, and none for what is false', () => {
  const seen = { seen: 20, seen_hash: 'd22f' };
  const line = (operation: string, payload: Readonly<Record<string, unknown>>) =>
    repeatedLine('parley', { operation, sessionId: 'S', payload, seen });
  expect([
    line('approveContract', { revision_id: 'r_1', content_hash: '3107', authorize_build: true }),
    line('authorize', { stage: 'release', group_ready: true }),
    line('authorize', { stage: 'release', group_ready: false }),
  ]).toEqual([
    'parley approve-contract S --revision-id r_1 --content-hash 3107 --authorize-build --seen 20 --seen-hash d22f',
    'parley authorize S --stage release --group-ready --seen 20 --seen-hash d22f',
    'parley authorize S --stage release --seen 20 --seen-hash d22f',
  ]);
});
