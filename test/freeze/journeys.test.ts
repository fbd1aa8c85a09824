import { readFile, writeFile } from 'node:fs/promises';
import { createMemoryStorage, createParley } from '@parley/core';
import { createTestRandom } from '@parley/core/testing';
import { createHttpHost, serve } from '@parley/http-host';
import { expect, onTestFinished, test } from 'vitest';
import { createVirtualClock } from '../scenarios/support/virtual-clock.ts';
import { ask } from '../support/exchange.ts';
import { bearer, restPath } from '../support/requests.ts';
import { type Journey, openCoverage } from './support/coverage.ts';
import { type Moment, playStory, SECRET, stockMoment } from './support/moments.ts';
import { loadMoment, openStage, sessionOf, timeOf } from './support/stage.ts';

const FILE = new URL('recorded/journeys.json', import.meta.url);
const TURN = JSON.stringify({ summary: 'The cursor holds the last id.' });
const HELD_MS = 25_000;
/** Of so many runs the one with the fewest functions counts. Others also run what follows from a full minute or a slow socket. */
const RUNS = 3;
/** What caches of earlier runs still hold differs by some functions from run to run. */
const MARGIN = 1.02;

/** A request at a moment that has been prepared. Resolves when it is answered. */
type Ready = () => Promise<unknown>;

async function postTurn(moment: Moment): Promise<Ready> {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.show(moment);
  // The service has the session in its cache when the turn comes.
  await ask(stage.url, restPath(stage.sessionId, 'state'), { headers: bearer(moment.tokens.agent_a ?? '') });
  return () => sendTurn(stage.url, moment);
}

async function sendTurn(url: string, moment: Moment): Promise<void> {
  const path = restPath(sessionOf(moment), 'turns');
  const heard = await ask(url, path, { body: TURN, headers: bearer(moment.tokens.agent_a ?? '') });
  expect(heard.status).toBe(200);
}

async function approve(moment: Moment): Promise<Ready> {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.show(moment);
  const created = moment.events.map(({ body }) => JSON.parse(body)).findLast(({ kind }) => kind === 'revision.created');
  const { revision_id, content_hash } = created.data;
  const body = JSON.stringify({ revision_id, content_hash, seen: moment.events.length });
  await ask(stage.url, `/owner/api/sessions/${stage.sessionId}/view`, { headers: bearer(stage.keys.owner) });
  return async () => {
    const path = `/owner/api/sessions/${stage.sessionId}/approve-contract`;
    expect((await ask(stage.url, path, { body, headers: bearer(stage.keys.owner) })).status).toBe(200);
  };
}

/** A poll that is held by one process, and ended by a turn that another process gets. */
async function wakePoll(moment: Moment): Promise<Ready> {
  const clock = createVirtualClock(Date.parse(timeOf(moment)));
  const memory = createMemoryStorage({ now: clock.now });
  await loadMoment(memory, moment);
  const urls: string[] = [];
  for (const handle of [memory, memory.sibling()]) {
    const storage = { ...handle, secret: async () => SECRET };
    const parley = await createParley({ storage, clock, random: createTestRandom(2) });
    const serving = await serve(createHttpHost(parley).handler, { host: '127.0.0.1', port: 0, parley });
    onTestFinished(() => serving.close().then(() => parley.close()));
    urls.push(serving.url);
  }
  const [here = '', there = ''] = urls;
  const path = restPath(sessionOf(moment), 'state');
  const headers = bearer(moment.tokens.agent_b ?? '');
  await ask(here, path, { headers });
  const { cursor } = (await ask(there, path, { headers })).json;
  return async () => {
    const poll = ask(there, `${path}?wait=25&after=${cursor}`, { headers });
    await Promise.race([clock.pending(HELD_MS, 1), poll.then(({ text }) => expect.fail(`answered at once: ${text}`))]);
    await sendTurn(here, moment);
    expect((await poll).json).toMatchObject({ your_turn: true });
  };
}

test('a turn, a poll that another process wakes, and an approval run the files and functions recorded, and at most 2 % more', async () => {
  const planned = await stockMoment('planned');
  const { moments } = await playStory('payment-capture');
  const written = moments.find(({ name }) => name === 'CONTRACT') ?? expect.unreachable();
  const journeys = { turn: () => postTurn(planned), poll: () => wakePoll(planned), approval: () => approve(written) };
  // Loads what is loaded at the first call.
  for (const prepare of Object.values(journeys)) await (await prepare())();
  const coverage = await openCoverage();
  onTestFinished(() => coverage.close());
  const found: Record<string, Journey> = {};
  for (const [name, prepare] of Object.entries(journeys)) {
    const runs: Journey[] = [];
    while (runs.length < RUNS) runs.push(await coverage.count(await prepare()));
    const [least] = runs.toSorted((one, other) => one.functions - other.functions);
    found[name] = least ?? expect.unreachable();
  }
  if (process.env.FREEZE === 'record') await writeFile(FILE, `${JSON.stringify(found, null, 2)}\n`);
  const recorded: typeof found = JSON.parse(await readFile(FILE, 'utf8'));
  const above = Object.entries(found).filter(([name, { files, functions }]) => {
    const limit = recorded[name];
    return !limit || files > limit.files * MARGIN || functions > limit.functions * MARGIN;
  });
  expect(Object.fromEntries(above), 'what runs more than recorded; pnpm freeze:record takes the new numbers').toEqual(
    {},
  );
});
