import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createParley } from '@parley/core';
import { createPostgresStorage } from '@parley/storage-pg';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../packages/owner-app/src/cli/program.ts';
import { fakeTerminal } from '../../../packages/owner-app/test/fake-terminal.ts';
import { runOn, startCitus } from '../../../scripts/servers/citus-cluster.ts';
import { joinSession } from '../../support/join-session.ts';
import { snippetsOf, snippetUnder } from '../../workspace/support/snippets.ts';
import { SESSION } from '../processes/support/mission.ts';

const run = promisify(execFile);
const snippets = snippetsOf('docs/deploy/citus.md');
const HEADING = 'Setting it up';
const SHARDS_BY_WORKER = `
select count(*)::int as shards from citus_shards where table_name::text = 'parley_session' group by nodeport order by 1 desc`;

/**
 * The only address of the servers. A command that uses `localhost` fails here, as it would on the servers in the
 * document.
 */
const ADDRESS = '127.0.0.2';

test('docs/deploy/citus.md leads to a cluster with nothing to complain of, a session on it, and one more worker', async () => {
  const cluster = await startCitus({ durable: true, address: ADDRESS });
  if (cluster === null) throw new Error('Citus is not installed.');
  onTestFinished(() => cluster.stop());
  const servers = [cluster.coordinator, ...cluster.workers, await cluster.addWorker()].map(({ url }) => url);
  // The superuser of the test's servers has the name of the role in the document, so the role is renamed.
  const renamed = (text: string): string =>
    text
      .replace('create role parley ', 'create role plain ')
      .replace('owner parley;', 'owner plain;')
      .replace('postgres://parley@', 'postgres://plain@');
  const addressed = (text: string): string =>
    servers.reduce((all, url, index) => {
      const port = new URL(url).port;
      const host = `10.0.0.${index + 1}`;
      return all
        .replaceAll(`'${host}', 5432`, `'${ADDRESS}', ${port}`)
        .replaceAll(`${host}:5432/parley`, `${ADDRESS}:${port}/parley`)
        .replaceAll(`'${host}'`, `'${ADDRESS}'`);
    }, renamed(text));
  const psql = async (url: string, text: string) => {
    const asked = run('psql', ['-v', 'ON_ERROR_STOP=1', '-q', url]);
    asked.child.stdin?.end(text);
    return asked;
  };

  // Runs the first SQL of the document in template1. In the database postgres, which already uses Citus, this SQL would
  // create the role on all servers at once.
  for (const url of servers) {
    const there = Object.assign(new URL(url), { pathname: '/template1' }).href;
    await psql(there, renamed(snippetUnder(snippets, HEADING, 'sql', 0)));
  }
  const database = Object.assign(new URL(servers[0] ?? ''), { pathname: '/parley' }).href;
  await psql(database, addressed(snippetUnder(snippets, HEADING, 'sql', 1)));

  const [exported = '', ...commands] = addressed(snippetUnder(snippets, HEADING, 'sh'))
    .trim()
    .split('\n');
  const DATABASE_URL = exported.replace('export DATABASE_URL=', '');
  expect(DATABASE_URL).toBe(Object.assign(new URL(database), { username: 'plain' }).href);
  expect(await runOn(DATABASE_URL, 'select usesuper from pg_user where usename = current_user')).toEqual([
    { usesuper: false },
  ]);
  expect(commands).toEqual(['npx parley migrate up --citus', 'npx parley doctor']);
  const outputs: string[] = [];
  for (const command of commands) {
    const terminal = fakeTerminal({ DATABASE_URL });
    const code = await runCli(command.split(' ').slice(2), terminal);
    outputs.push(terminal.output());
    expect({ command, code, errors: terminal.errors() }).toEqual({ command, code: 0, errors: '' });
  }
  expect(outputs[0]).toContain('32 shards on Citus.');
  expect(outputs[1]?.match(/^ok +Citus \w+/gm)).toEqual(
    ['workers', 'tables', 'durability', 'clocks', 'connections'].map((name) =>
      expect.stringContaining(`Citus ${name}`),
    ),
  );

  const storage = await createPostgresStorage({ connectionString: DATABASE_URL });
  const parley = await createParley({ storage });
  const owner = parley.owner('owner');
  const { sessionId, tokens } = await joinSession({ parley, owner }, { session: SESSION, withModerator: false });
  await parley.agent(tokens.agent_a).call('post_turn', { request_id: 'turn-1', summary: 'The first turn.' });
  await psql(database, addressed(snippetUnder(snippets, 'One more worker', 'sql')));
  expect(await runOn(DATABASE_URL, SHARDS_BY_WORKER)).toEqual([11, 11, 10].map((shards) => ({ shards })));
  expect(await owner.verifyLog(sessionId)).toMatchObject({ ok: true });
  await parley.close();
  await storage.close();
});
