import { seenIn } from '@parley/core/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask } from './support/ask.ts';
import { seatWithBuild } from './support/builds.ts';
import { demand } from './support/contracts.ts';
import type { HostProcess } from './support/host-process.ts';
import { rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';

const ROUNDS = rounds(6, 60);
const RETRIES = 4;

describe.skipIf(databaseServer === null)('attempts over two processes', () => {
  let scene: Scene;
  let hosts: [HostProcess, HostProcess];
  let seats: Seats;
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start()]);
    seats = await seatWithBuild(scene, hosts[0]);
    return scene.close;
  });

  /** Sends several copies of a call at the same time, alternately to the two hosts. */
  const everywhere = (route: string, body: Readonly<Record<string, unknown>>) =>
    Promise.all(
      Array.from({ length: 2 * RETRIES }, (_, index) =>
        ask({ host: hosts[index % 2 === 0 ? 0 : 1], seat: seats.agent_a, route, body }),
      ),
    );

  test(`a start that is retried at both opens one attempt, and every item of evidence is stored, ${ROUNDS} times`, async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const started = await everywhere('POST verify/attempts', { scenario_id: 'test-level' });
      expect(started.map(({ status, body }) => `${status} ${body.attempt}`)).toEqual(
        Array.from({ length: 2 * RETRIES }, () => `200 ${round}`),
      );
      const at = { scenario_id: 'test-level', attempt: round };
      const item = { ...at, kind: 'log', claim: 'It holds.', summary: 'Two are shown.', request_id: `run-${round}` };
      const given = await everywhere('POST verify/evidence', item);
      expect(new Set(given.map(({ status }) => status))).toEqual(new Set([200]));
      const board = await demand({ host: hosts[1], seat: seats.agent_b, route: 'GET verify/board' });
      const shown = { status: 'OPEN', attempt: round, evidence_count: 2 * RETRIES };
      expect(board.scenarios).toMatchObject([{ attempts: expect.arrayContaining([expect.objectContaining(shown)]) }]);
      const verdict = { ...at, verdict: 'FAIL', note: 'Once more.' };
      await demand({ host: hosts[0], seat: seats.agent_b, route: 'POST verify/verifications', body: verdict });
      const { sessionId } = seats.agent_a;
      const seen = await seenIn(scene.owner, sessionId);
      await scene.owner.waiveDefect(sessionId, { defect_id: `def_${round}`, reason: 'Only a race.', seen });
    }
  });
});
