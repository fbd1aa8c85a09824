import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { given } from '../../../src/testing/index.ts';
import { describeOwner } from '../../describe-access.ts';
import { approved, building, certified, play } from '../../story.ts';

const read = (filename: string, past = approved) => given(past).when('artifact', { filename }, 'owner');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('artifact', () => {
  describeOwner('artifact', {
    past: approved,
    input: { filename: 'contract.md' },
    statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'],
  });

  test('gives the exact bytes, whoever they are assigned to', () => {
    read('reservation-cases.json').thenReply({
      filename: 'reservation-cases.json',
      sha256: '892b39011ea291bbde049ef86d0e0dfeeb9449ec446441435d8c13d4300ec564',
      bytes: 29,
      media_type: 'application/json',
      content: '[{"article":"a-1","units":2}]',
    });
  });

  test.each(['handoff-agent-a.md', 'handoff-agent-b.md'])(
    'gives %s, which is assigned to one agent only',
    (filename) => {
      const own = filename === 'handoff-agent-a.md' ? 'agent_a' : 'agent_b';
      const shown = read(filename).reply();
      expect(shown).toEqual(given(approved).when('fetch_artifact', { filename }, own).reply());
      expect(sha256(shown.content)).toBe(shown.sha256);
    },
  );

  test('gives every artifact that the manifest names', () => {
    const { manifest } = given(approved).when('view', {}, 'owner').reply();
    const names = manifest?.artifacts.map(({ filename }) => filename) ?? [];
    expect(names).toHaveLength(7);
    for (const { filename, sha256: frozen } of manifest?.artifacts ?? []) {
      expect(sha256(read(filename).reply().content)).toBe(frozen);
    }
  });

  test.each(['nothing.md', '', 'CONTRACT.MD', './contract.md', 'contract.md ', '__proto__', 'constructor'])(
    'refuses %j as an unknown file',
    (filename) => {
      read(filename).thenFails('UNKNOWN_RECORD');
    },
  );

  test('names the unknown file', () => {
    read('nothing.md').thenFails('UNKNOWN_RECORD', { record: { type: 'artifact', id: 'nothing.md' } });
  });

  test('finds nothing before the approval, and nothing after a request for changes', () => {
    read('contract.md', certified).thenFails('UNKNOWN_RECORD');
    const sentBack = play(building, [['owner', 'requestChanges', { reason: 'Another field.' }]]);
    read('contract.md', sentBack).thenFails('UNKNOWN_RECORD');
  });
});
