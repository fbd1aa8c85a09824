import { createParley, type Storage } from '@parley/core';
import type { Json } from '@parley/missions';
import { createPostgresStorage } from '@parley/storage-pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { canonicalText, contractOf, demand, hashOf, seatWithContract } from './support/contracts.ts';
import { query } from './support/database.ts';
import type { HostProcess } from './support/host-process.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';

const REVISIONS = 10;

/** A contract of about 150,000 characters. No text is the same in two revisions. */
function longContract(number: number): Json {
  const risks = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ id: `risk-${index}`, mitigation: 'Somebody looks.', assignee: 'agent_b' },
    text: `Revision ${number} of risk ${index}: the shop shows a level that is no longer held in the warehouse.`,
  }));
  return contractOf(`Revision ${number}`, { risks });
}

describe.skipIf(databaseServer === null)(`${REVISIONS} revisions of 150,000 characters`, () => {
  let scene: Scene;
  let seats: Seats;
  beforeAll(async () => {
    scene = await openScene();
    const host = await scene.start();
    seats = await seatWithContract(scene, host, longContract(1));
    for (let number = 2; number <= REVISIONS; number += 1) await submit(host, number);
    await host.kill();
    return scene.close;
  });

  function submit(host: HostProcess, number: number): Promise<Json> {
    const parent = `r_${number - 1}`;
    const body = { contract: longContract(number), expected_parent_id: parent, reason: 'Other texts.' };
    return demand({ host, seat: seats.agent_a, route: 'POST contract', body });
  }

  test('stand in documents, and the events stay small', async () => {
    const of = (table: string): string =>
      `select length(body) as chars from parley_${table} where session_id = '${seats.agent_a.sessionId}' order by 1 desc`;
    const documents = await query<{ chars: number }>(scene.databaseUrl, of('document'));
    const events = await query<{ chars: number }>(scene.databaseUrl, of('event'));
    expect(documents.map(({ chars }) => chars > 150_000)).toEqual(Array.from({ length: REVISIONS }, () => true));
    expect(events.reduce((sum, { chars }) => sum + chars, 0)).toBeLessThan(100_000);
    expect(events[0]?.chars).toBeLessThan(6_000);
    console.log(`largest event ${events[0]?.chars} characters, largest document ${documents[0]?.chars}`);
  });

  test('leave at most 4,000 characters of their operations in the log, from the second on', async () => {
    const rows = await query<{ n: string }>(
      scene.databaseUrl,
      `select count(*) as n from parley_event where length((body::json -> 'data' -> 'ops')::text) between 1 and 4100`,
    );
    expect(rows).toEqual([{ n: '9' }]);
  });

  test('are read by a cold process with one document read for each request', async () => {
    const inner = await createPostgresStorage({ connectionString: scene.databaseUrl });
    const asked: string[] = [];
    const storage: Storage = {
      ...inner,
      document(sessionId, sha256) {
        asked.push(sha256);
        return inner.document(sessionId, sha256);
      },
    };
    const parley = await createParley({ storage });
    const agentB = parley.agent(seats.agent_b.token);
    const state = await agentB.call('read_session_state', {});
    expect([state.latest_revision?.revision_id, asked]).toEqual([`r_${REVISIONS}`, []]);
    const plan = await agentB.call('get_final_plan', {});
    expect(asked).toEqual([hashOf(longContract(REVISIONS))]);
    expect(canonicalText(plan.contract)).toBe(canonicalText(longContract(REVISIONS)));
    await parley.close();
    await inner.close();
  });

  test('are served whole by a host that was started since', async () => {
    const host = await scene.start();
    const plan = await demand({ host, seat: seats.agent_b, route: 'GET plan' });
    expect(plan).toMatchObject({ revision_id: `r_${REVISIONS}`, content_hash: hashOf(longContract(REVISIONS)) });
    const diff = await demand({ host, seat: seats.agent_b, route: 'GET contract/diff?revision_id=r_4' });
    expect(diff).toMatchObject({ revision_id: 'r_4', parent_id: 'r_3', content_hash: hashOf(longContract(4)) });
  });
});
