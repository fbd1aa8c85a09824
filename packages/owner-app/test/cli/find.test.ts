import { describe, expect, test } from 'vitest';
import { openArgued } from './spoken-session.ts';

const headOf = (out: string): string | undefined => out.split('\n')[0];

describe('parley find', () => {
  test.each([
    [['uuid'], '2 hits.'],
    [['uuid', '--limit', '1'], '2 hits.'],
    [['und'], 'No session contains these words.'],
    [['key', 'refund'], '1 hit.'],
    [['refund key'], '1 hit.'],
    [['key refund'], 'No session contains these words.'],
    [['"refund', 'key"'], '1 hit.'],
  ])('%j prints the number of hits', async (words, head) => {
    const { run } = await openArgued();
    expect(headOf((await run('find', ...words)).out)).toBe(head);
  });

  test('prints the status of a decision, and searches only the session of --session', async () => {
    const { run, id } = await openArgued();
    const { out } = await run('find', 'uuid', '--session', id);
    expect(out).toMatch(/^ {2}d_2, proposed {2}Bank agent/m);
    expect((await run('find', 'uuid', '--session', 'nothere')).err).toMatch(/no session/);
  });

  test('prints a command that shows each hit, and what a superseded decision was superseded by', async () => {
    const { run, id } = await openArgued();
    const { out } = await run('find', 'uuid');
    expect(out.match(/^ {2}d_\d.*?(?= {2})|^ {4}parley .*/gm)).toEqual([
      '  d_2, proposed',
      `    parley show ${id.slice(0, 4)} d_2`,
      '  d_1, superseded by d_2',
      `    parley show ${id.slice(0, 4)} d_1`,
    ]);
  });

  test('prints as many hits as --limit', async () => {
    const { run, owner, id } = await openArgued();
    for (let count = 0; count < 51; count += 1) await owner.direct(id, { targets: ['agent_a'], text: 'Zebra.' });
    const { out } = await run('find', 'zebra', '--limit', '2');
    expect(headOf(out)).toBe('50 hits so far. Older sessions remain.');
    expect(out.match(/Zebra\./g)).toHaveLength(2);
    expect(out).toContain('\n\nThese are the first 2. To see more, add: --limit 4');
  });
});
