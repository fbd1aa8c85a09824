import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp, SESSION } from '../running-app.ts';

/** A session with an open question to the owner. `typed` is what the person at the terminal types, if there is one. */
async function openQuestion(summary = `The shop waits. ${'It may pay twice. '.repeat(5)}`) {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const { session_id: id } = await owner.createSession(SESSION);
  const { code } = await owner.invite(id, { role: 'agent_a' });
  await owner.start(id);
  const questions = [{ text: 'May it wait?', to: 'owner' as const, blocking: true }];
  await parley.agent((await parley.redeem({ code })).token).call('post_turn', { summary, questions });
  const run = async (args: readonly string[], typed?: string) => {
    const asked: string[] = [];
    const question = async (text: string) => {
      asked.push(text);
      return typed ?? '';
    };
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    const exit = await runCli(args, typed === undefined ? terminal : { ...terminal, question });
    return { code: exit, asked, out: terminal.output(), err: terminal.errors() };
  };
  const answer = async () => (await owner.records(id, { id: 'q_1' })).records[0];
  return { owner, id, run, answer };
}

test('answer-question takes the id after the session and prints the answer', async () => {
  const { id, run, answer } = await openQuestion();
  const { code, out } = await run(['answer-question', id, 'q_1', '--text', 'Yes, a day.']);
  expect(code).toBe(EXIT.OK);
  expect(out.split('\n')[0]).toBe('Your answer to q_1 goes to Agent A (agent_a) and is final: Yes, a day.');
  expect(await answer()).toMatchObject({ answer: 'Yes, a day.' });
});

test('answer-question without --text shows the question to a person and asks for the answer', async () => {
  const { id, run, answer } = await openQuestion();
  expect(await run(['answer-question', id, 'q_1'], ' ')).toMatchObject({
    code: EXIT.REFUSED,
    err: 'parley: You typed no answer. Nothing was changed.',
  });
  const prefix = id.slice(0, 4);
  const { code, out, asked } = await run(['answer-question', prefix, 'q_1'], 'Yes.');
  expect(code).toBe(EXIT.OK);
  expect(asked).toEqual(['Your answer to q_1, which you cannot change afterwards: ']);
  expect(out.split('\n').slice(0, 7)).toEqual([
    'Agent A (agent_a) asks (blocks the contract):',
    '│ May it wait?',
    'its turn: The shop waits. It may pay twice. It may pay twice. It may pay twice.',
    'It may pay twice. It may pay twice.',
    `in full: parley show ${prefix} q_1`,
    '',
    'Your answer to q_1 goes to Agent A (agent_a) and is final: Yes.',
  ]);
  expect(await answer()).toMatchObject({ answer: 'Yes.' });
  const again = await run(['answer-question', id, 'q_1'], 'No.');
  expect(again).toMatchObject({ code: EXIT.REFUSED, asked: [], err: 'parley: q_1 is ANSWERED. Nothing was changed.' });
});

test('answer-question shows at most 600 columns of the turn that asks', async () => {
  const { id, run } = await openQuestion('It may pay twice. '.repeat(100).trim());
  const { out } = await run(['answer-question', id, 'q_1'], 'Yes.');
  const lines = out.split('\n');
  const turn = lines.slice(
    2,
    lines.findIndex((line) => line.startsWith('in full: ')),
  );
  expect(turn.join(' ').length).toBeLessThanOrEqual(600);
  expect(turn.join(' ').length).toBeGreaterThan(580);
  expect(turn.at(-1)).toMatch(/…$/);
});

test('answer-question without --text and without a terminal is refused', async () => {
  const { id, run } = await openQuestion();
  const refused = {
    code: EXIT.USAGE,
    err: 'parley: Give your answer with --text <text>. In a terminal you can leave out --text: the command then shows the question and asks for your answer.',
  };
  expect(await run(['answer-question', id, 'q_1'])).toMatchObject(refused);
  expect(await run(['answer-question', id, 'q_1', '--json'], 'Yes.')).toMatchObject(refused);
});

test.each([
  ['override-finding', 'f_1', ['--reason', 'Known.']],
  ['release-hold', 'h_1', ['--reason', 'Known.']],
  ['waive-defect', 'def_1', ['--reason', 'Known.']],
  ['reassign-defect', 'def_1', ['--role', 'agent_a']],
  ['respond-recommendation', 'rec_1', ['--decision', 'ACCEPT']],
  ['withdraw-intervention', 'i_1', []],
])('%s takes the id after the session', async (command, record, flags) => {
  const { id, run } = await openQuestion();
  const { code, err } = await run([command, id, record, ...flags]);
  expect(code).toBe(EXIT.REFUSED);
  expect(err).toMatch(new RegExp(`UNKNOWN_RECORD.*${record}`));
});

test('a command on one record names exactly one record', async () => {
  const { id, run } = await openQuestion();
  expect(await run(['waive-defect', id, '--reason', 'Known.'])).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: Name the record after the session, such as: parley waive-defect SESSION def_1',
  });
  expect(await run(['waive-defect', id, 'def_1', '--defect-id', 'def_2', '--reason', 'Known.'])).toMatchObject({
    code: EXIT.USAGE,
    err: 'parley: Name only one record: def_1, or --defect-id def_2.',
  });
});
