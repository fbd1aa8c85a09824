import { expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';

/** Runs a command without a service. A command line that is not refused ends with the exit code UNREACHABLE. */
async function run(...args: readonly string[]) {
  const terminal = fakeTerminal({ PARLEY_URL: 'http://127.0.0.1:9', PARLEY_OWNER_KEY: 'k' });
  const code = await runCli(args, terminal);
  return { code, err: terminal.errors() };
}

test.each([
  [['answer-question', 'S', '--question-id', 'q_4', '--text', '...'], '--text'],
  [['answer-question', 'S', '--question-id', '...', '--text', 'Yes.'], '--question-id'],
  [['request-changes', 'S', '--reason', '…'], '--reason'],
  [['release-hold', 'S', '--hold-id', 'hold_1', '--reason', ' "..." '], '--reason'],
  [['pause', '--all', '--reason', '...'], '--reason'],
  [['mark-read', 'S', '--revision-id', 'r_1', '--sections', 'tasks', '--sections', '...'], '--sections'],
  [['create', '--title', 'T', '--guardrail', '...'], '--guardrail'],
  [['create', '--title', 'T', '--requirement', 'req_1: ...'], '--requirement'],
  [['ask', 'S', '--targets', 'agent_a', '--text', '<your question>'], '--text'],
  [['connect', 'pinv_x', '--for', 'curl', '--url', '...'], '--url'],
])('the command line %j is refused, because the value of %s is a placeholder', async (args, flag) => {
  expect(await run(...args)).toEqual({
    code: EXIT.USAGE,
    err: `parley: The value of ${flag} is a placeholder. Write your own value in its place. Nothing was changed.`,
  });
});

test.each([
  [['answer-question', 'S', '--question-id', 'q_4', '--text', 'Wait...']],
  [['request-changes', 'S', '--reason', 'Say what <b> means.']],
])('the command line %j is not refused', async (args) => {
  expect((await run(...args)).code).toBe(EXIT.UNREACHABLE);
});
