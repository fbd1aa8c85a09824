import { readOutcome } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { ODD_PLACES, openOddDatabase } from '../../scripts/servers/odd-settings.ts';
import { loadStory, MODERATED } from './support/stories.ts';
import { openWorld, playIn } from './support/world.ts';

const databaseUrl = inject('databaseUrl');

describe.skipIf(databaseUrl === null)('a mission on a PostgreSQL with odd settings', () => {
  test.each(ODD_PLACES)('at the %s ends as the mission says, and the lists of the owner show it', async (place) => {
    const { url, remove } = await openOddDatabase(place, databaseUrl ?? '');
    onTestFinished(remove);
    const connect = () => createPostgresStorage({ connectionString: url });
    const world = await openWorld({ connect, remove }, 'in process');
    const mission = await loadStory(MODERATED);
    const { agents, sessionId } = await playIn(world, mission);
    expect(await readOutcome(agents.agent_a)).toEqual(mission.outcome);
    expect(await world.owner.verifyLog(sessionId)).toMatchObject({ ok: true });
    expect(await world.owner.listSessions({})).toMatchObject({ sessions: [{ session_id: sessionId }] });

    await world.close();
  });
});
