import { type Actor, type BotCall, type Json, MISSION_NAMES, readOutcome, runWithBots } from '@parley/missions';
import { describe, expect, test } from 'vitest';
import type { DoorKind } from './support/doors.ts';
import { openMemory } from './support/stores.ts';
import { loadStory, MODERATED, type Story } from './support/stories.ts';
import { openWorld } from './support/world.ts';

type Call = Omit<BotCall, 'input'>;

/** Scenarios of the contracts that the bots write. */
const SCENARIOS = { 'payment-capture': 6, 'offline-sync': 6, 'signed-webhooks': 7, 'minor-units': 2 };

const ORDERS = [
  ['agent_a', 'agent_b', 'owner'],
  ['agent_b', 'agent_a', 'owner'],
  ['owner', 'agent_b', 'agent_a'],
] as const;

describe.each(MISSION_NAMES)('bots that do only what they are told, on the material of %s', (name) => {
  test.each(ORDERS)(
    'bring the session to its end without a refused call when %s acts first, then %s',
    async (...order) => {
      const { calls, refused, outcomes } = await playByInstruction(name, 'in process', order);
      expect(refused).toEqual([]);
      console.info(`${name}, ${order[0]} first: ${countOf(calls)}`);
      expect(calls.length).toBeLessThan(500);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'ENDED', phase: 'RELEASE', certified: true });
        const statuses: unknown[] = Object.values(Object(outcome.scenarios));
        expect(statuses).toHaveLength(SCENARIOS[name]);
        expect(new Set(statuses)).toEqual(new Set(['PASSED']));
        expect(outcome.authorizations).toEqual({
          build_authorized: true,
          deployment_authorized: true,
          activation_authorized: true,
        });
      }
    },
  );
});

test('the bots are sent through every way of mending that a contract and a build know', async () => {
  const played = await Promise.all(MISSION_NAMES.map((name) => playByInstruction(name, 'in process', ORDERS[0])));
  const tools = new Set(played.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  const mending = ['patch_contract', 'submit_finding', 'respond_finding', 'resolve_finding', 'requestChanges'];
  expect([...mending, 'verify_submit_fix'].filter((tool) => !tools.has(tool))).toEqual([]);
  const { revision } = played.map(({ outcomes: [outcome] }) => outcome)[1] ?? {};
  expect(revision).toMatchObject({ revision_id: 'r_3', status: 'APPROVED' });
  expect(played.map(({ outcomes: [outcome] }) => Object.keys(Object(outcome?.defects)).length)).toEqual([2, 1, 1, 0]);
});

test('once the build is authorized, the bots call nothing but verify_next and what it has just named', async () => {
  const { calls } = await playByInstruction('payment-capture', 'in process', ORDERS[0]);
  for (const role of ['agent_a', 'agent_b']) {
    const own = calls.filter(({ by }) => by === role);
    const verifying = own.slice(own.findIndex(({ tool }) => tool === 'verify_next'));
    const odd = verifying.filter(
      ({ tool, route }, index) =>
        (tool === 'verify_next') !== (route === undefined) || (route && verifying[index - 1]?.tool !== 'verify_next'),
    );
    expect(odd).toEqual([]);
    expect(verifying.filter(({ route }) => route).length).toBeGreaterThan(10);
  }
});

const MODERATED_ORDERS = [
  ['agent_a', 'agent_b', 'moderator', 'owner'],
  ['moderator', 'agent_b', 'agent_a', 'owner'],
] as const;

describe('a moderator among the bots', () => {
  test.each(MODERATED_ORDERS)(
    'stops the contract, has it mended and lets it go on, without a refused call, when %s acts first, then %s',
    async (...order) => {
      const { calls, refused, outcomes } = await playByInstruction(MODERATED, 'in process', order);
      expect(refused).toEqual([]);
      console.info(`${MODERATED}, ${order[0]} first: ${countOf(calls)}`);
      expect(calls.length).toBeLessThan(1_000);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'ENDED', phase: 'RELEASE', certified: true });
      const told = calls.filter(({ by }) => by === 'moderator').map(({ tool }) => tool);
      const writes = told.filter((tool) => !['read_session_state', 'get_session_events', 'ack_events'].includes(tool));
      expect(writes).toEqual(MODERATORS_WRITES[order[0]]);
      const answered = calls.filter(({ tool }) => tool === 'respondRecommendation');
      expect(answered.map(({ by }) => by)).toEqual(['owner', 'owner']);
    },
  );

  test('makes the same calls over REST and over MCP as in process', async () => {
    const inProcess = await playByInstruction(MODERATED, 'in process', MODERATED_ORDERS[0]);
    expect(await playByInstruction(MODERATED, 'REST', MODERATED_ORDERS[0])).toEqual(inProcess);
    expect(await playByInstruction(MODERATED, 'MCP', MODERATED_ORDERS[0])).toEqual(inProcess);
  });
});

const THE_QUESTION = ['ask_agent', 'complete_action', 'complete_action'];
const THE_FINDING = ['submit_moderator_finding', 'resolve_finding'];
const THE_REVIEWS = ['submit_contract_review', 'submit_contract_review'];

/**
 * The moderator's writes in order, by the role that acts first. If the moderator acts last, the builders review the
 * contract before the moderator does.
 */
const MODERATORS_WRITES = {
  agent_a: [...THE_REVIEWS, ...THE_QUESTION, ...THE_FINDING, 'recommend_to_owner', 'recommend_to_owner'],
  moderator: [...THE_QUESTION, ...THE_FINDING, ...THE_REVIEWS, 'recommend_to_owner', 'recommend_to_owner'],
};

function countOf(calls: readonly Call[]): string {
  const start = calls.findIndex(({ tool }) => tool === 'verify_next');
  const named = calls.filter(({ route }) => route !== undefined);
  return `${calls.length} calls, ${calls.length - start} of them from the authorized build, ${named.length} named by verify_next`;
}

type Play = Awaited<ReturnType<typeof play>>;
const plays = new Map<string, Promise<Play>>();

/** Plays each combination once, because several tests share the result. */
function playByInstruction(name: Story, door: DoorKind, order: readonly Actor[]): Promise<Play> {
  const key = [name, door, ...order].join(' ');
  const known = plays.get(key) ?? play(name, door, order);
  plays.set(key, known);
  return known;
}

async function play(name: Story, door: DoorKind, order: readonly Actor[]) {
  const world = await openWorld(await openMemory(), door);
  const calls: Call[] = [];
  const refused: string[] = [];
  const { agents } = await runWithBots(
    await loadStory(name),
    {
      owner: world.owner,
      async agents({ role, code }) {
        const face = await world.door.enter(await world.door.redeem(code));
        return (tool: string, input: Json, how = {}) =>
          face(tool, input, how).catch((error: unknown) => {
            refused.push(`${role} ${tool}: ${error}`);
            throw error;
          });
      },
    },
    { order, onCall: ({ input: _, ...call }) => void calls.push(call) },
  );
  const outcomes = [await readOutcome(agents.agent_a), await readOutcome(agents.agent_b)];
  await world.close();
  return { calls, refused, outcomes };
}
