import { beforeAll, describe, expect, test } from 'vitest';
import { copySession } from '../memory/many-sessions.ts';
import { touchAll } from '../memory/touch.ts';
import { judgeMemory } from '../memory/verdict.ts';
import type { HostProcess } from './support/host-process.ts';
import { startHost } from './support/host-process.ts';
import { databaseServer, openScene, type Scene } from './support/scene.ts';

const SESSIONS = 3_000;
const MEBI = 1024 * 1024;
const CACHE = { stateBytes: 12 * MEBI, eventBytes: MEBI, documentBytes: MEBI, answerBytes: MEBI };
/** MiB that the process may use besides its caches, for the rate windows of `SESSIONS` tokens. */
const ALLOWED_MEBI = 4;

describe.skipIf(databaseServer === null)(`${SESSIONS} sessions touched once on one process`, () => {
  let scene: Scene;
  let host: HostProcess;
  beforeAll(async () => {
    scene = await openScene();
    host = await startHost({ database: { connectionString: scene.databaseUrl }, cache: CACHE }, ['--expose-gc']);
    return async () => {
      await host.kill();
      await scene.close();
    };
  });

  test('stay within the sizes of its caches, and leave nothing else behind', async () => {
    const { agent_a: from } = await scene.seat();
    const { databaseUrl, storage } = scene;
    const seats = await copySession({ databaseUrl, storage, from, count: SESSIONS });
    expect(await scene.owner.verifyLog(seats[0]?.sessionId ?? '')).toMatchObject({ ok: true });
    const findings = judgeMemory(await touchAll({ host, seats, samples: 6 }), ALLOWED_MEBI);
    for (const { check, looked, note } of findings) console.log(`${check}: ${looked}; ${note ?? ''}`);
    expect(findings.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
