import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Company, openCompany } from './support/company.ts';
import { hasPair } from './support/installed.ts';
import { openPair, type Pair, type Waiting } from './support/pair.ts';
import { ms, rounds } from './support/rounds.ts';
import { startTalking, type Talk } from './support/talk.ts';
import { countLosses, expectFreshAnswers, expectWholeLogs, type Losses } from './support/verdict.ts';

const ROUNDS = rounds(10);
const SESSIONS = 6;
const LAG_MS = 700;

interface Round extends Losses {
  readonly talks: readonly Talk[];
  readonly line: string;
}

describe.runIf(hasPair()).each([
  ['an asynchronous standby', ['not at all']],
  ['a synchronous standby', ['on', 'remote_apply']],
] satisfies [string, Waiting[]][])('after a failover to %s that lags', (_name, waitings) => {
  let pair: Pair;
  let company: Company;
  beforeAll(async () => {
    pair = await openPair();
    company = await openCompany(pair.url, SESSIONS);
    return async () => {
      await company.close();
      await pair.close();
    };
  });

  test(`every log is whole, and no process needs a restart, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const waiting = waitings[round % waitings.length] ?? 'on';
      const { talks, missing, line } = await failOverUnderLoad(waiting);
      console.log(`standby waited for ${waiting}, round ${round + 1}: ${line}`);
      await expectWholeLogs(company, pair.direct());
      await expectFreshAnswers(company, pair.direct());
      if (waiting === 'not at all') expect(missing).toBeGreaterThan(0);
      else
        expect({ missing, surprises: talks.map(({ surprises }) => surprises) }).toEqual({
          missing: 0,
          surprises: talks.map(() => 0),
        });
    }
  });

  async function failOverUnderLoad(waiting: Waiting): Promise<Round> {
    await pair.addStandby(waiting);
    const { talks, goesOn, end } = startTalking(company);
    await goesOn(10);
    pair.holdStream();
    await pause(LAG_MS);
    const crashed = performance.now();
    await pair.failOver();
    const turned = performance.now();
    const first = await goesOn(1);
    await goesOn(10);
    await end();
    expect(talks.flatMap(({ wrong }) => wrong)).toEqual([]);
    const losses = await countLosses(talks, pair.direct());
    const line = `${losses.told} turns acknowledged, ${losses.missing} of them lost; first one again ${ms(first - crashed)} after the crash, ${ms(first - turned)} after the switch`;
    return { ...losses, talks, line };
  }
});
