import { beforeAll, describe, expect, test } from 'vitest';
import { addNode, runOn } from '../../../scripts/servers/citus-cluster.ts';
import { startTalking } from '../failover/support/talk.ts';
import { countLosses, expectFreshAnswers, expectWholeLogs } from '../failover/support/verdict.ts';
import { type ClusterService, goOn, openClusterService, talksOn } from './support/cluster-service.ts';

const SESSIONS = 12;

describe('a third worker', () => {
  let service: ClusterService;
  beforeAll(async () => {
    service = await openClusterService(SESSIONS);
    return () => service.close();
  });

  test('takes shards while their sessions are written', async () => {
    const conversation = startTalking(service.company);
    const { talks } = conversation;
    await goOn(talks, 5);
    const worker = await service.cluster.addWorker();
    await runOn(worker.url, `create database ${service.database}`);
    const there = Object.assign(new URL(worker.url), { pathname: `/${service.database}` }).href;
    await runOn(there, 'create extension citus');
    await addNode(service.url, there);
    await runOn(service.url, 'select citus_rebalance_start()');
    const began = performance.now();
    await runOn(service.url, 'select citus_rebalance_wait()');
    const took = performance.now() - began;
    await goOn(talks, 5);
    await conversation.end();

    const moved = await talksOn(service.url, talks, worker);
    const [shards] = await runOn(
      service.url,
      `select count(*)::int as count from citus_shards
       where table_name::text = 'parley_session' and nodeport = ${new URL(worker.url).port}`,
    );
    const away = talks.reduce((sum, { unavailable }) => sum + unavailable, 0);
    const { told, missing, untold } = await countLosses(talks, service.url);
    console.log(
      `${shards?.count} of 32 shards with ${moved.length} of ${SESSIONS} sessions moved in ${Math.round(took)} ms; ${told} turns acknowledged, ${missing} lost; ${away} answers 503`,
    );
    expect(shards).toEqual({ count: 10 });
    expect(talks.map(({ wrong, surprises }) => ({ wrong, surprises }))).toEqual(
      talks.map(() => ({ wrong: [], surprises: 0 })),
    );
    expect({ missing, untold }).toEqual({ missing: 0, untold: 0 });
    await expectWholeLogs(service.company, service.url);
    await expectFreshAnswers(service.company, service.url);
  });
});
