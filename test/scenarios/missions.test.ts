import { type CallTool, type Json, loadMission, readOutcome } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CONTENT_HASHES } from './expected/content-hashes.ts';
import { DECISIONS, STATE, TRANSCRIPT } from './expected/payment-capture.ts';
import { normalised } from './support/normalised.ts';
import { readEverything, readOwnersTranscript, readTranscript } from './support/readings.ts';
import { openMemory } from './support/stores.ts';
import { loadStory, MODERATED, STORIES } from './support/stories.ts';
import { openWorld, overTheWire, playIn, type World } from './support/world.ts';

/**
 * The final views of the moderated mission, for each combination of transport and storage. All of them must be equal.
 */
const ends: unknown[] = [];

/**
 * Plays the moderated mission on each combination of transport and storage, and every other story on one combination.
 */
const places = overTheWire().map((place, index, all) => ({
  ...place,
  names: STORIES.filter((name, at) => name === MODERATED || at % all.length === index),
}));

describe.each(places)('a session from its invitations to its end: $door, $store', ({ open, names }) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  test.each(names)('%s ends as the mission says, for both agents, with a log that verifies', async (name) => {
    const mission = await loadStory(name);
    const answers: Json[] = [];
    const cast = await playIn(world, mission, ({ result }) => void answers.push(result));

    expect(await readOutcome(cast.agents.agent_a)).toEqual(mission.outcome);
    expect(await readOutcome(cast.agents.agent_b)).toEqual(mission.outcome);
    expect(await readHashes(cast.agents.agent_a)).toEqual(CONTENT_HASHES[name]);
    expect(await world.owner.verifyLog(cast.sessionId)).toMatchObject({ ok: true });
    const seen = { answers, ...(await readEverything(world, cast)) };
    const checksums = [await readChecksums(cast.agents.agent_a), await readChecksums(cast.agents.agent_b)];
    if (name === MODERATED) ends.push({ checksums, ...normalised(seen, cast.sessionId) });
  });
});

/** The content hashes of all revisions, oldest first. */
async function readHashes(agent: CallTool): Promise<unknown[]> {
  const hashes: unknown[] = [];
  let { revision_id } = await agent('get_final_plan', {});
  while (typeof revision_id === 'string') {
    const { content_hash, parent_id } = await agent('get_revision_diff', { revision_id });
    hashes.unshift(content_hash);
    revision_id = parent_id;
  }
  return hashes;
}

/** The checksums of the agent's own artifacts. They are the same wherever and whenever the session is played. */
async function readChecksums(agent: CallTool): Promise<unknown> {
  const { artifacts } = await agent('list_artifacts', {});
  return Array.isArray(artifacts) && artifacts.map(({ filename, sha256 }) => `${filename} ${sha256}`);
}

test('the moderated mission gives equal answers, transcripts, states, lists, plans and artifacts everywhere', () => {
  expect(ends).toHaveLength(2);
  expect(ends[1]).toEqual(ends[0]);
});

test('payment-capture leaves the transcript, decisions and state that a reader of the mission expects', async () => {
  const world = await openWorld(await openMemory(), 'in process');
  onTestFinished(() => world.close());
  const { agents, sessionId } = await playIn(world, await loadMission('payment-capture'));
  const messages = await readTranscript(agents.agent_b);
  expect(messages.map(({ from, kind }) => `${from} ${kind}`)).toEqual(TRANSCRIPT);
  expect(await readTranscript(agents.agent_a)).toEqual(messages);
  expect(await readOwnersTranscript(world, sessionId)).toEqual(messages);

  const { decisions } = await agents.agent_a('list_decisions', {});
  expect(decisions).toMatchObject(DECISIONS);
  expect(await agents.agent_a('read_session_state', {})).toMatchObject(STATE);
});
