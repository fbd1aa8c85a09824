import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { commandsAt } from '../commands.ts';
import { runApp, SESSION } from '../running-app.ts';

test('parley followups lists what was noted, and parley create --followups-of takes it over', async () => {
  const { url, parley } = await runApp();
  const run = commandsAt(url);
  const owner = parley.owner('owner');
  const { session_id } = await owner.createSession({
    ...SESSION,
    title: 'Refunds *now*',
    agents: { agent_a: { name: 'Shop' }, agent_b: { name: 'Bank' } },
  });
  const next = ['create', '--title', 'Next', '--objective', 'O', '--followups-of', session_id.slice(0, 8)];
  const none = await run(...next);
  expect([none.code, none.err]).toEqual([EXIT.REFUSED, expect.stringContaining('Nothing was noted for later')]);

  const note = ['note-followup', session_id, '--side'];
  const first = await run(...note, 'agent_b', '--kind', 'fault', '--text', 'The clock *drifts*; ask @bank.');
  expect(first.out).toMatch(/^fu_1 is noted for Bank/);
  await run(...note, 'agent_a', '--kind', 'question', '--text', 'Who owns the queue?');
  await run(...note, 'agent_a', '--kind', 'deviation', '--text', 'No dark theme.');

  expect((await run('followups', session_id)).out.split('\n').filter(Boolean)).toEqual([
    '- fault, for Bank (agent_b): The clock \\*drifts\\*; ask `@bank`. (fu_1, noted by the owner)',
    '- question, for Shop (agent_a): Who owns the queue? (fu_2, noted by the owner)',
    '- deviation, for Shop (agent_a): No dark theme. (fu_3, noted by the owner)',
  ]);
  const issues = await run('followups', session_id, '--side', 'agent_b', '--format', 'issues');
  expect(JSON.parse(issues.out)).toEqual({
    title: 'The clock *drifts*; ask @bank.',
    body: `The clock \\*drifts\\*; ask \`@bank\`.\n\nA fault for Bank (agent_b), fu_1, noted by the owner in the session Refunds \\*now\\* (${session_id}).`,
  });
  const { followups } = JSON.parse((await run('followups', session_id, '--json')).out);
  expect(followups).toEqual((await owner.records(session_id, { type: 'followup' })).records);

  const made = await run(...next, '--requirement', 'followup-1: It is paid once.', '--json');
  const { requirements, agenda } = await owner.view(JSON.parse(made.out).session_id);
  expect(requirements).toEqual([
    { requirement_id: 'followup-1', text: 'It is paid once.' },
    { requirement_id: 'followup-2', text: 'The clock *drifts*; ask @bank.' },
    { requirement_id: 'followup-3', text: 'No dark theme.' },
  ]);
  expect(agenda?.topics).toMatchObject([{ topic: 'fu_2 Who owns the queue?', question: 'Who owns the queue?' }]);
});
