import { type BotCall, type Json, loadMission, type Mission, readOutcome, runWithBots } from '@parley/missions';
import { expect, test } from 'vitest';
import { openMemory } from './support/stores.ts';
import { openWorld } from './support/world.ts';

const SECTIONS = ['title', 'summary', 'decisions', 'interfaces', 'tasks', 'tests'];

/** The mission as a light session: three requirements, and a contract of the sections that every author writes. */
async function lightMission(): Promise<Mission> {
  const merged = JSON.stringify(await loadMission('signed-webhooks')).replaceAll('"req-4"', '"req-3"');
  const mission: Mission = JSON.parse(merged, (name, value) =>
    name === 'requirements' && typeof value[0] === 'string' ? [...new Set(value)] : value,
  );
  const session = {
    ...mission.session,
    profile: 'light' as const,
    requirements: mission.session.requirements.slice(0, 3),
  };
  const contract = mission.contract.map((step) =>
    step.call === 'submit_contract' ? { ...step, input: { ...step.input, contract: required(step.input) } } : step,
  );
  return { ...mission, session, contract };
}

const required = ({ contract }: Json): Json =>
  Object.fromEntries(Object.entries(Object(contract)).filter(([name]) => SECTIONS.includes(name)));

/** Calls of a full session for which no agent of a light session is asked. */
const NEVER = ['submit_preflight', 'list_artifacts', 'confirm_receipt', 'get_readiness_questions', 'submit_readiness'];

async function play(authorizesAtOnce: boolean) {
  const world = await openWorld(await openMemory(), 'in process');
  const calls: Pick<BotCall, 'by' | 'tool' | 'input'>[] = [];
  const { owner } = world;
  const withBuild = (operation: string, input: Json) =>
    authorizesAtOnce && operation === 'approveContract' ? { ...input, authorize_build: true } : input;
  const { agents } = await runWithBots(
    await lightMission(),
    {
      owner: {
        createSession: (input) => owner.createSession(input as never),
        call: (operation, sessionId, input) => owner.call(operation, sessionId, withBuild(operation, input)),
      },
      async agents({ code }) {
        const agent = await world.door.enter(await world.door.redeem(code));
        expect((await agent('read_task')).profile).toBe('light');
        return agent;
      },
    },
    { onCall: ({ by, tool, input }) => void calls.push({ by, tool, input }) },
  );
  const outcome = await readOutcome(agents.agent_a);
  await world.close();
  return { calls, outcome };
}

test.each([
  [true, ['approveContract', 'authorize release']],
  [false, ['approveContract', 'authorize build', 'authorize release']],
] as const)(
  'bots that do only what they are told end a light session; the build with the approval: %s',
  async (authorizesAtOnce, decisions) => {
    const { calls, outcome } = await play(authorizesAtOnce);
    expect(outcome).toMatchObject({ status: 'ENDED', phase: 'RELEASE', certified: true });
    const statuses = Object.values(Object(outcome.scenarios));
    expect([statuses.length > 5, new Set(statuses)]).toEqual([true, new Set(['PASSED'])]);
    const ofAgents = calls.filter(({ by }) => by !== 'owner');
    expect(ofAgents.filter(({ tool }) => NEVER.includes(tool))).toEqual([]);
    expect(ofAgents.filter(({ input }) => input.note === 'Every gate holds.')).toEqual([]);
    const ofOwner = calls.filter(({ by, tool }) => by === 'owner' && /^(approveContract|authorize|end)$/.test(tool));
    expect(ofOwner.map(({ tool, input }) => [tool, input.stage].join(' ').trim())).toEqual(decisions);
    console.info(`light, ${authorizesAtOnce}: ${calls.length} calls`);
  },
);
