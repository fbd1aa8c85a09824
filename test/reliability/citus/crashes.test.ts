import { beforeAll, describe, expect, test } from 'vitest';
import { startTalking, type Talk } from '../failover/support/talk.ts';
import { countLosses, expectFreshAnswers, expectWholeLogs } from '../failover/support/verdict.ts';
import { type ClusterService, goOn, openClusterService, talksOn } from './support/cluster-service.ts';

/** Without `CITUS_ROUNDS`, a worker is killed twenty times and the coordinator five times. */
const WORKER_KILLS = Number(process.env.CITUS_ROUNDS ?? 20);
const COORDINATOR_KILLS = Number(process.env.CITUS_ROUNDS ?? 5);
const SESSIONS = 12;

describe('on a cluster under load', () => {
  let service: ClusterService;
  beforeAll(async () => {
    service = await openClusterService(SESSIONS);
    return () => service.close();
  });

  /** Expects that no acknowledged turn is lost, every log verifies, and no answer was wrong. */
  async function expectNothingLost(talks: readonly Talk[]): Promise<void> {
    expect(talks.map(({ wrong, surprises }) => ({ wrong, surprises }))).toEqual(
      talks.map(() => ({ wrong: [], surprises: 0 })),
    );
    const { told, missing, untold } = await countLosses(talks, service.url);
    const away = talks.reduce((sum, { unavailable }) => sum + unavailable, 0);
    console.log(`${told} turns acknowledged, ${missing} lost, ${untold} stored without an answer; ${away} answers 503`);
    expect({ missing, untold }).toEqual({ missing: 0, untold: 0 });
    await expectWholeLogs(service.company, service.url);
    await expectFreshAnswers(service.company, service.url);
  }

  test(`a worker is killed and comes back ${WORKER_KILLS} times; the sessions of the other worker go on`, async () => {
    const conversation = startTalking(service.company);
    const { talks } = conversation;
    await goOn(talks, 5);
    for (let round = 0; round < WORKER_KILLS; round += 1) {
      const [dead, alive] = round % 2 === 0 ? service.cluster.workers : service.cluster.workers.toReversed();
      if (!dead || !alive) throw new Error('two workers expected');
      const [silent, others] = [await talksOn(service.url, talks, dead), await talksOn(service.url, talks, alive)];
      expect(silent.length + others.length).toBe(SESSIONS);
      expect(Math.min(silent.length, others.length)).toBeGreaterThan(0);
      await dead.kill();
      const beside = await goOn(others, 10);
      await dead.restart();
      const back = await goOn(talks, 2);
      console.log(
        `kill ${round + 1}: ${others.length} sessions went on, ten turns each in ${Math.round(beside)} ms; ${silent.length} were back ${Math.round(back)} ms after the restart`,
      );
    }
    await conversation.end();
    await expectNothingLost(talks);
  });

  test(`the coordinator is killed and comes back ${COORDINATOR_KILLS} times`, async () => {
    const conversation = startTalking(service.company);
    for (let round = 0; round < COORDINATOR_KILLS; round += 1) {
      await goOn(conversation.talks, 5);
      await service.cluster.coordinator.kill();
      await service.cluster.coordinator.restart();
      const back = await goOn(conversation.talks, 1);
      console.log(`coordinator ${round + 1}: every session was back ${Math.round(back)} ms after the restart`);
    }
    await conversation.end();
    await expectNothingLost(conversation.talks);
  });
});
