import { readOutcome } from '@parley/missions';
import { createPostgresStorage, type PostgresOptions } from '@parley/storage-pg';
import { Client } from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ODD_PLACES, openOddDatabase } from '../../scripts/servers/odd-settings.ts';
import { startPgBouncer } from '../../scripts/servers/pgbouncer-server.ts';
import { findProgram } from '../../scripts/servers/side-program.ts';
import { loadStory, MODERATED } from './support/stories.ts';
import { openWorld, playIn } from './support/world.ts';

const databaseUrl = inject('databaseUrl');

describe.skipIf(databaseUrl === null)('a mission on a PostgreSQL with odd settings', () => {
  test.each(ODD_PLACES)('at the %s ends as the mission says, and the lists of the owner show it', async (place) => {
    const { url, remove } = await openOddDatabase(place, databaseUrl ?? '');
    onTestFinished(remove);
    await playOn({ connectionString: url });
  });
});

async function playOn(options: PostgresOptions): Promise<void> {
  const world = await openWorld(
    { connect: () => createPostgresStorage(options), remove: async () => undefined },
    'in process',
  );
  const mission = await loadStory(MODERATED);
  const { agents, sessionId } = await playIn(world, mission);
  expect(await readOutcome(agents.agent_a)).toEqual(mission.outcome);
  expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
  expect(await world.owner.listSessions({})).toMatchObject({ sessions: [{ session_id: sessionId }] });
  await world.close();
}

const pooled = databaseUrl !== null && findProgram('pgbouncer', 'REQUIRE_PGBOUNCER') !== null;

/** What docs/deploy.md tells to set behind a pooler, which refuses startup options. All other settings stay odd. */
const RIGHT = [
  'default_transaction_read_only = off',
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  'idle_session_timeout = 0',
  'array_nulls = on',
  'exit_on_error = off',
];

describe.skipIf(!pooled)('a mission through PgBouncer on a PostgreSQL with odd settings', () => {
  // The settings of a user in a database go before those of the server, the role and the database alike.
  test('ends as the mission says if the user has the settings of docs/deploy.md', async () => {
    const { url, remove } = await openOddDatabase('role', databaseUrl ?? '');
    onTestFinished(remove);
    const { username, pathname } = new URL(url);
    const user = `alter role "${username}" in database "${pathname.slice(1)}"`;
    const client = new Client({
      connectionString: url,
      options:
        '-c statement_timeout=0 -c idle_session_timeout=0 -c lock_timeout=0 -c default_transaction_read_only=off',
    });
    await client.connect();
    for (const setting of RIGHT) await client.query(`${user} set ${setting}`);
    await client.end();
    const bouncer = await startPgBouncer(url);
    onTestFinished(async () => void (await bouncer?.stop()));
    await playOn({ connectionString: bouncer?.url ?? '', hintConnectionString: url });
  });
});
