import { describe, expect, test } from 'vitest';
import { SESSION } from '../running-app.ts';
import { openArgued } from './spoken-session.ts';

const headOf = (out: string): string | undefined => out.split('\n')[0];

describe('parley find', () => {
  test.each([
    [['uuid'], '2 hits, 1 different text.'],
    [['uuid', '--limit', '1'], '2 hits, 1 different text.'],
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

  test('prints a command that shows each hit, and a superseded decision below the decision that superseded it', async () => {
    const { run, id } = await openArgued();
    const { out } = await run('find', 'uuid');
    expect(out).toContain('\n    1 superseded decision with these words: d_1');
    expect((await run('find', 'shop', 'uuid')).out).toMatch(/^ {2}d_1, superseded by d_2 {2}Shop agent/m);
    expect(out.match(/^ {2}d_\d|^ {4}parley .*/gm)).toEqual(['  d_2', `    parley show ${id.slice(0, 4)} d_2`]);
  });

  test('prints equal texts of several sessions once', async () => {
    const { run, owner, id } = await openArgued();
    await owner.direct(id, { targets: ['agent_a'], text: 'Zebra.' });
    const { session_id: other } = await owner.createSession(SESSION);
    await owner.start(other);
    await owner.direct(other, { targets: ['agent_a'], text: 'Zebra.' });
    const { out } = await run('find', 'zebra');
    expect(headOf(out)).toBe('2 hits, 1 different text.');
    expect(out.match(/Zebra\./g)).toHaveLength(1);
    expect(out).toContain(`\n    the same in 1 other session: ${id.slice(0, 8)}`);
  });

  test('names the places of a contract, and prints the command that shows the best', async () => {
    const { run, shop, bank, id } = await openArgued();
    for (const agent of [shop, bank])
      await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'Knows it.' });
    const risk = { id: 'ri-1', text: 'A giraffe is late.', mitigation: 'None.', assignee: 'agent_a' };
    const contract = { title: 'Zoo', summary: 'Giraffes and a walrus.', risks: [risk] };
    await shop.call('submit_contract', { contract, expected_parent_id: '', reason: 'As planned.' });
    const [shown, session] = ['    parley ', id.slice(0, 4)];
    const { out } = await run('find', 'giraffe');
    expect(out).toContain(`\n${shown}show ${session} ri-1\n    2 places in r_1: risks › ri-1, summary`);
    expect((await run('find', 'walrus')).out).toContain(`\n${shown}plan ${session} --section summary`);
    const ops = [{ op: 'replace' as const, path: '/summary', value: 'Giraffes.' }];
    await shop.call('patch_contract', { expected_parent_id: 'r_1', reason: 'Shorter.', ops });
    const { out: old } = await run('find', 'walrus');
    expect(old).toMatch(/^ {2}r_1, superseded by r_2 {2}Shop agent/m);
    expect(old).toContain(`\n${shown}revision ${session} --revision-id r_1 --section summary`);
  });

  test('counts up to 200 hits', async () => {
    const { run, owner, id } = await openArgued();
    for (let count = 0; count < 201; count += 1) await owner.direct(id, { targets: ['agent_a'], text: 'Zebra.' });
    const { out } = await run('find', 'zebra', '--limit', '2');
    expect(headOf(out)).toBe('200 hits so far. Older sessions remain.');
    expect(out).toContain('\n\nThese are the first 2. To see more, add: --limit 4');
  });
});
