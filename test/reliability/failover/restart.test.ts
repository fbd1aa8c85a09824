import { beforeAll, describe, expect, test } from 'vitest';
import type { PostgresServer } from '../../../scripts/servers/postgres-server.ts';
import { type Company, openCompany } from './support/company.ts';
import { hasPair } from './support/installed.ts';
import { startDurable } from './support/pair.ts';
import { ms, rounds } from './support/rounds.ts';
import { startTalking } from './support/talk.ts';
import { countLosses, expectFreshAnswers, expectWholeLogs } from './support/verdict.ts';

const ROUNDS = rounds(5);
const SESSIONS = 6;

describe.runIf(hasPair())('after an immediate restart of the only server', () => {
  let server: PostgresServer;
  let company: Company;
  beforeAll(async () => {
    server = await startDurable();
    company = await openCompany(server.url, SESSIONS);
    return async () => {
      await company.close();
      await server.stop();
    };
  });

  test(`nothing acknowledged is lost, and no process needs a restart, ${ROUNDS} times under load`, async () => {
    const conversation = startTalking(company);
    for (let round = 0; round < ROUNDS; round += 1) {
      await conversation.goesOn(10);
      const crashed = performance.now();
      await server.crash();
      await server.restart();
      const ready = performance.now();
      const first = await conversation.goesOn(1);
      console.log(
        `restart ${round + 1}: first turn again ${ms(first - crashed)} after the crash, ${ms(first - ready)} after the server was ready`,
      );
    }
    await conversation.goesOn(10);
    await conversation.end();
    const { talks } = conversation;
    const { told, missing } = await countLosses(talks, server.url);
    console.log(`${ROUNDS} restarts: ${told} turns acknowledged, ${missing} of them lost`);
    expect(talks.map(({ wrong, surprises }) => ({ wrong, surprises }))).toEqual(
      talks.map(() => ({ wrong: [], surprises: 0 })),
    );
    expect(missing).toBe(0);
    await expectWholeLogs(company, server.url);
    await expectFreshAnswers(company, server.url);
  });
});
