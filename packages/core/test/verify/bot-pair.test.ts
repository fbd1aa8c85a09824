import { describe, expect, test } from 'vitest';
import type { OpenedSession } from '../../src/testing/index.ts';
import { seenIn } from '../../src/testing/index.ts';
import { changed, type SAMPLE_CONTRACT } from '../contract/sample-contract.ts';
import { type Builder, testsWith } from './builds.ts';
import { agentOf, openBuild } from './open-build.ts';

type Tests = typeof SAMPLE_CONTRACT.tests;

/** Four tests of a contract. Each builder executes some. Together they use every member of an evidence policy. */
const TESTS: Tests = testsWith(
  { evidence_policy: { min_items: 2 } },
  { evidence_policy: { per_agent_kinds: { agent_a: ['trace'], agent_b: ['manual'] } } },
).flatMap((each) =>
  each.id === 'test-reserve'
    ? [{ ...each, id: 'test-lone', requirements: [], evidence_policy: { correlated: false } }, each]
    : [each, { ...each, id: 'test-after', executor: 'agent_a', responsible: 'agent_a', depends_on: ['test-expiry'] }],
);

/** By scenario: the builder that must fix its service, and the number of fixes after which the scenario passes. */
const NEEDS: Readonly<Record<string, readonly [Builder, number]>> = {
  'test-reserve': ['agent_b', 1],
  'test-expiry': ['agent_b', 3],
  'test-after': ['agent_a', 1],
};

/** Two running services. Each new build of a service fixes a defect. */
function createSystem(needs: typeof NEEDS = {}) {
  const builds = { agent_a: 0, agent_b: 0 };
  let looks = 0;
  return {
    look: (): number => ++looks,
    commitOf: (by: Builder): string => `${by === 'agent_a' ? 'a' : 'b'}${builds[by]}00000`,
    mend: (by: Builder): void => {
      builds[by] += 1;
    },
    works(scenario: string): boolean {
      const [by, build] = needs[scenario] ?? ['agent_a', 0];
      return builds[by] >= build;
    },
  };
}

type System = ReturnType<typeof createSystem>;
type Item = Awaited<ReturnType<typeof nextOf>>[number];

const nextOf = async (session: OpenedSession, by: Builder) =>
  (await agentOf(session, by).call('verify_next', {})).items;

/** The values with which a bot replaces the placeholders of a payload. They contain only what the bot observes. */
function report(system: System, by: Builder, { tool, payload, scenario_id = '', reason }: Item) {
  if (tool === 'verify_handshake' && reason.includes('fix it')) system.mend(by);
  const works = system.works(scenario_id);
  const reports: Readonly<Record<string, unknown>> = {
    '<true or false>': works,
    '<version that runs>': '1.0.0',
    '<commit that runs, 7 to 64 hex digits>': system.commitOf(by),
    '<local, test, ci, preview or staging>': 'staging',
    '<URL at which the other agent reaches it>': 'http://localhost:8080',
    '<kind of evidence>': 'log',
    '<what it shows>': `What the scenario says, look ${system.look()}.`,
    '<what you saw>': works ? 'It holds.' : 'It does not hold.',
    '<correlation id seen in the system under test>': `${scenario_id} on ${system.commitOf(by)}`,
    '<PASS or FAIL>': works ? 'PASS' : 'FAIL',
    '<why>': 'As seen.',
    '<what failed>': 'What the scenario says.',
    '<what you changed>': 'What failed.',
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return reports[value] ?? value;
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
  };
  const assertions = [{ name: 'holds', expected: true, actual: works, passed: works }];
  const isEmpty = Array.isArray(payload.assertions) && payload.assertions.length === 0;
  return { ...Object(fill(payload)), ...(isEmpty ? { assertions } : {}) };
}

/** The builders alternately follow the first item of their `verify_next`, with those that it takes in others, until both lists are empty. */
async function verifyAll(session: OpenedSession, system: System): Promise<string[]> {
  const calls: string[] = [];
  for (let idle = 0; idle < 2 && calls.length < 500; idle += 1) {
    for (const by of ['agent_a', 'agent_b'] as const) {
      const [item, ...rest] = await nextOf(session, by);
      if (!item) continue;
      idle = -1;
      const { tool, scenario_id = '-' } = item;
      const others = item.reason.endsWith('all but the first in others.')
        ? rest.filter((other) => other.tool === tool && other.payload.verdict !== 'CARRY')
        : [];
      calls.push([by, tool, scenario_id, ...others.map((other) => `+${other.scenario_id}`)].join(' '));
      const payload = report(system, by, item);
      const sent =
        others.length > 0 ? { ...payload, others: others.map((other) => report(system, by, other)) } : payload;
      await agentOf(session, by).call(tool as 'verify_handshake', sent as never);
    }
  }
  return calls;
}

describe('two bots that do what verify_next says', () => {
  test('get from the build to a certified board, and fix what fails', async () => {
    const session = await openBuild(changed({ tests: TESTS }));
    const calls = await verifyAll(session, createSystem(NEEDS));
    const board = await session.agentA.call('verify_board', {});
    expect(board.certification?.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(board.defects.map(({ defect_id, scenario_id, status }) => `${defect_id} ${scenario_id} ${status}`)).toEqual([
      'def_1 test-reserve CLOSED',
      'def_2 test-expiry CLOSED',
      'def_3 test-after CLOSED',
    ]);
    const { scenarios } = await session.owner.board(session.sessionId);
    expect(
      scenarios.map(({ scenario_id, attempts }) => `${scenario_id} ${attempts.map(({ status }) => status)}`),
    ).toEqual([
      'test-lone PASSED,PASSED,PASSED,PASSED,PASSED',
      'test-reserve FAILED,PASSED,PASSED,PASSED,PASSED',
      'test-expiry FAILED,FAILED,PASSED,PASSED',
      'test-after FAILED,PASSED',
    ]);
    console.info(`certified after ${calls.length} calls that verify_next gave`);
    expect(calls).toHaveLength(33);
    const { owner, sessionId } = session;
    await owner.authorize(sessionId, { stage: 'deployment', seen: await seenIn(owner, sessionId) });
    const { authorizations } = await owner.authorize(sessionId, {
      stage: 'activation',
      seen: await seenIn(owner, sessionId),
    });
    expect(authorizations.activation_authorized).toBe(true);
  });

  test('need the fewest calls if nothing fails', async () => {
    const session = await openBuild();
    const calls = await verifyAll(session, createSystem());
    expect(calls).toEqual([
      'agent_a verify_handshake -',
      'agent_b verify_handshake -',
      'agent_a verify_start_attempt test-reserve',
      'agent_b verify_verify test-reserve',
      'agent_b verify_start_attempt test-expiry',
      'agent_a verify_verify test-expiry',
    ]);
    const { instruction } = (await session.owner.view(session.sessionId)).state;
    expect(instruction.tool).toBe('authorize');
  });
});
