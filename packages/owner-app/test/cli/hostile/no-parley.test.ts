import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';

const SESSION = 's'.repeat(22);

/** Runs a command of the owner against a server that answers every request with 200 and this body. */
async function runAt(body: string, args: readonly string[], { key = 'k', type = 'application/json' } = {}) {
  const server = createServer((_request, response) => void response.setHeader('content-type', type).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: key });
  return { exit: await runCli(args, terminal), out: terminal.output(), err: terminal.errors() };
}

test.each([
  ['a page', '<html>Sign in to this network</html>'],
  ['nothing', ''],
  ['a list', '[]'],
])('no command takes %s for the answer of a service that did what it was asked', async (_what, body) => {
  for (const args of [
    ['waiting'],
    ['end', SESSION, '--end-reason', 'COMPLETED'],
    ['revoke', SESSION, '--role', 'agent_a'],
    ['stop-moderator', SESSION],
  ])
    expect(await runAt(body, args), args.join(' ')).toEqual({
      exit: EXIT.REFUSED,
      out: '',
      err: expect.stringMatching(
        /^parley: The server at \S+ is not a Parley server: its answer is not a JSON object\./,
      ),
    });
});

test('the head of an exported log is quoted in the command that verifies the log', async () => {
  const file = join(await newFolder(), 'log.jsonl');
  const event = JSON.stringify({ session_id: SESSION });
  const line = ['export-log', SESSION, '--out', file];
  const { out } = await runAt(`${JSON.stringify({ hash: 'a;touch x', event })}\n`, line, {
    type: 'application/x-ndjson',
  });
  expect(out).toContain(`verify-log ${file} --head '1:a;touch x'`);
});

test('the id of a revision is quoted in the commands below it', async () => {
  const answer = { revision_id: 'r_1;touch x', contract: {}, markdown: `# C\n${'text\n\n'.repeat(300)}` };
  const { out } = await runAt(JSON.stringify(answer), ['revision', SESSION, '--revision-id', 'r_1']);
  expect(out).toContain(`revision ${SESSION} --revision-id 'r_1;touch x' --summary`);
  expect(out).not.toContain('--revision-id r_1;');
});

test('a key that is no header is refused and not printed', async () => {
  const { exit, err } = await runAt('{}', ['sessions'], { key: 'pok_first\nsecond' });
  expect(exit).toBe(EXIT.NO_KEY);
  expect(err).toMatch(/^parley: The owner key contains characters that a key never has\./);
  expect(err).not.toContain('second');
});
