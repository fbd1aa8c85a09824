import { type Json, loadMission, MISSION_NAMES, type MissionName, readOutcome } from '@parley/missions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DECISIONS, STATE, TRANSCRIPT } from './expected/payment-capture.ts';
import { normalised } from './stage/normalised.ts';
import { readEverything, readTranscript } from './stage/readings.ts';
import { combinations, playIn, type World } from './stage/world.ts';

const all = combinations();

/** What everybody sees at the end of a mission, by mission and combination. */
const ends = new Map<MissionName, Map<string, unknown>>(MISSION_NAMES.map((name) => [name, new Map()]));

describe.each(all)('a planning session: $door, $store', ({ store, door, open }) => {
  let world: World;
  beforeAll(async () => {
    world = await open();
  });
  afterAll(() => world.close());

  test.each(MISSION_NAMES)('%s ends as the mission says, for both agents, with a log that verifies', async (name) => {
    const mission = await loadMission(name);
    const answers: Json[] = [];
    const cast = await playIn(world, mission, ({ result }) => void answers.push(result));

    expect(await readOutcome(cast.agents.agent_a)).toEqual(mission.outcome);
    expect(await readOutcome(cast.agents.agent_b)).toEqual(mission.outcome);
    expect(await world.owner.verifyLog(cast.sessionId)).toMatchObject({ ok: true });
    const seen = { answers, ...(await readEverything(world, cast)) };
    ends.get(name)?.set(`${door}, ${store}`, normalised(seen, cast.sessionId));
  });

  test('payment-capture leaves the transcript, decisions and state that a reader of the mission expects', async () => {
    const { agents, sessionId } = await playIn(world, await loadMission('payment-capture'));
    const messages = await readTranscript(agents.agent_b);
    expect(messages.map(({ from, kind }) => `${from} ${kind}`)).toEqual(TRANSCRIPT);
    expect(await readTranscript(agents.agent_a)).toEqual(messages);
    expect((await world.owner.call('transcript', sessionId, {})).messages).toEqual(messages);

    const { decisions } = await agents.agent_a('list_decisions', {});
    expect(decisions).toMatchObject(DECISIONS);
    expect(await agents.agent_a('read_session_state', {})).toMatchObject(STATE);
  });
});

describe('the same mission in every combination', () => {
  test.each(MISSION_NAMES)('%s gives equal answers, transcripts, states and lists', (name) => {
    const [[, first] = [], ...others] = [...(ends.get(name) ?? [])];
    expect(first).toBeDefined();
    expect(others.length).toBe(all.length - 1);
    for (const [where, end] of others) expect(end, where).toEqual(first);
  });
});
