import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMission, MISSION_NAMES } from '@parley/missions';
import { describe, expect, test } from 'vitest';
import { createPace } from '../../src/cli/demo/demo.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { newFolder } from '../new-folder.ts';
import { KEY, runApp } from '../running-app.ts';

/** The output of each demo. Each mission is played once, because several tests use its output. */
const demos = new Map<string, Promise<Demo>>();

function demoOf(...args: readonly string[]): Promise<Demo> {
  const key = args.join(' ');
  const known = demos.get(key) ?? playDemo(args);
  demos.set(key, known);
  return known;
}

interface Demo {
  readonly code: number;
  readonly shown: string;
}

async function playDemo(args: readonly string[]): Promise<Demo> {
  const terminal = fakeTerminal();
  const code = await runCli(['demo', ...args, '--standalone'], terminal);
  return { code, shown: terminal.output() };
}

/** Returns the texts of `moments` that the output does not contain after the preceding texts of `moments`. */
function misplaced(shown: string, moments: readonly string[]): string[] {
  let from = 0;
  return moments.filter((moment) => {
    const place = shown.indexOf(moment, from);
    if (place >= 0) from = place;
    return place < 0;
  });
}

describe('parley demo', () => {
  test.each(MISSION_NAMES)('plays %s on a separate server to the end that the mission file describes', async (name) => {
    const { session, discussion, outcome } = await loadMission(name);
    const { code, shown } = await demoOf(name);
    expect(code).toBe(EXIT.OK);
    expect(shown).toContain(session.title);
    expect(shown).toContain(
      `author        ${session.agents[outcome.contract_author].name}, elected after ${outcome.turns} turns`,
    );
    expect(shown).toContain('The session ended as the mission file describes.');
    expect(shown).not.toContain('{"');
    expect(shown).toMatch(/^contract {6}r_\d, APPROVED\ncontent_hash {2}[0-9a-f]{64}$/m);
    const turns = discussion.filter(({ call }) => call === 'post_turn');
    expect(shown.match(/^● .* turn \d+, round \d+/gm)).toHaveLength(turns.length);
    expect(
      shown
        .split('\n')
        .filter((line) => line.length > 80)
        .map((line) => line.slice(0, 30)),
    ).toEqual([]);
  });

  test("shows the contract's way to the build: hash, findings, blockers, approval, manifest and readiness", async () => {
    const { shown } = await demoOf('signed-webhooks');
    const moments = [
      '● Platform agent (agent_a)  saves r_1 ',
      '· 2 blockers remain, first REVIEW_MISSING',
      '● Platform agent (agent_a)  submits the preflight of r_1 ',
      '● Connector agent (agent_b)  raises f_1 (RISK, blocking)',
      '● Connector agent (agent_b)  reviews r_1: REQUEST_CHANGES',
      '● Platform agent (agent_a)  saves r_2, after r_1 ',
      '● Platform agent (agent_a)  accepts f_1, fixed in r_2',
      '✔ f_1 is RESOLVED',
      '● owner  overrides f_2',
      '· 1 blocker remains: REVIEW_MISSING',
      '✔ nothing blocks: the contract is certified',
      '● owner  approves r_2 with exactly this hash',
      '│ for B        ',
      '● Connector agent (agent_b)  confirms receipt of handoff-agent-b.md',
      '● Connector agent (agent_b)  reports READY_TO_CODE on m_1',
      '● Connector agent (agent_b)  confirms the answers of Platform agent (agent_a)',
      '✔ Both agents are told to BEGIN_BUILD',
    ];
    expect(misplaced(shown, moments)).toEqual([]);
    const hash = /approves r_2.*\n│ content_hash ([0-9a-f]{64})/.exec(shown)?.[1] ?? '';
    expect(shown.split(hash).length - 1).toBeGreaterThanOrEqual(6);
  });

  test('shows how a build is verified: the failure, its assignee, and the certified board', async () => {
    const { shown } = await demoOf('payment-capture');
    const moments = [
      '● Shop agent (agent_a)  declares shop-backend ',
      '● Shop agent (agent_a)  starts v-retries-book-once/1',
      '│ FAILS        entry.booked events in the outbox: 2 instead of 1',
      '● Ledger agent (agent_b)  judges v-retries-book-once/1: FAIL',
      '● system  opens def_1 on v-retries-book-once/1, for Ledger agent (agent_b)',
      '● owner  gives def_2 of v-reused-key-refused to Shop agent (agent_a)',
      '● Ledger agent (agent_b)  declares another commit, so earlier passes are stale',
      '● Ledger agent (agent_b)  marks def_1 fixed on 7fa3b816c5d2…',
      '✔ def_1 is closed: v-retries-book-once/2 passed',
      '✔ v-look-up-on-primary has passed',
      '✔ The owner has authorized the deployment of these commits',
      '✔ phase VERIFY → RELEASE',
      '✔ The owner has authorized the activation of these commits',
      '● owner  ends the session: COMPLETED',
      'session       ENDED in RELEASE; authorized: build, deployment, activation',
      'v-retries-book-once         PASSED  claimed   agent_a  2     2',
      'def_2  CLOSED  Shop agent (agent_a)    v-reused-key-refused',
      '✔  SCENARIOS_PASSED     All 7 scenarios have passed.',
      '✔ certified: every check passes; lowest evidence claimed',
    ];
    expect(misplaced(shown, moments)).toEqual([]);
  });

  test('with a moderator, shows how the moderator stops a contract and releases it', async () => {
    const { code, shown } = await demoOf('--moderator');
    const moments = [
      '● moderator               may ask and stop approvals; never writes the contract',
      'the owner invites the agents. Each agent redeems its',
      '● moderator  asks Shop agent (agent_a) and Ledger agent (agent_b) (i_3',
      '│ about        d_2 Idempotency key',
      '● Shop agent (agent_a)  answers i_3',
      '● Ledger agent (agent_b)  answers i_3',
      '● moderator  raises f_3 (SAFETY, HIGH, blocking)',
      '│ resolved if  The contract says',
      '● moderator  puts hold h_1 on f_3: approval and authorizations are stopped',
      '● moderator  reviews r_2: REQUEST_CHANGES',
      '│ 1 of 5       safety of the way back: A switch between two tries books twice.',
      '· 5 blockers remain',
      '● Ledger agent (agent_b)  saves r_3, after r_2',
      '● Ledger agent (agent_b)  accepts f_3, fixed in r_3',
      '● moderator  closes f_3',
      '✔ hold h_1 is released, because f_3 is closed',
      '● moderator  reviews r_3: APPROVE',
      '✔ nothing blocks: the contract is certified',
      '● moderator  advises only the owner: PROCEED (rec_1)',
      '● owner  accepts the advice of rec_1',
      '● owner  approves r_3 with exactly this hash',
      '✔ The owner has authorized the activation of these commits',
      'moderator     1 finding, 1 hold, 2 reviews; has acknowledged events up to ',
      'The session ended as the mission file describes.',
    ];
    expect(misplaced(shown, moments)).toEqual([]);
    expect(code).toBe(EXIT.OK);
    expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(shown).not.toContain('{"');
  });

  test('refuses --moderator for a mission without a part for a moderator', async () => {
    const terminal = fakeTerminal();
    expect(await runCli(['demo', 'offline-sync', '--moderator', '--standalone'], terminal)).toBe(EXIT.USAGE);
    expect(terminal.errors()).toBe(
      'parley: offline-sync has no part for a moderator; parley demo --list marks the missions that can run with --moderator.',
    );
    expect(await runCli(['demo', '--list'], terminal)).toBe(EXIT.OK);
    expect(terminal.output()).toContain('payment-capture  Idempotent payment capture (also with --moderator)');
  });

  test('prints how to allow moderators if the owner forbids them', async () => {
    const { url, parley } = await runApp();
    const owner = parley.owner('owner');
    await owner.createSession({ title: 'T', objective: 'O', requirements: [{ requirement_id: 'r', text: 'T' }] });
    await owner.setModeratorEntitlement({ entitled: false });
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    expect(await runCli(['demo', '--moderator'], terminal)).toBe(EXIT.REFUSED);
    expect(terminal.errors()).toContain('parley moderator-entitlement on');
  });

  test('plays on the running server, over MCP, and leaves the session there', async () => {
    const { url, requests, parley } = await runApp();
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    expect(await runCli(['demo', '--fast'], terminal)).toBe(EXIT.OK);
    const { sessions } = await parley.owner('owner').listSessions();
    expect(sessions).toMatchObject([{ phase: 'RELEASE', status: 'ENDED' }]);
    expect(requests.filter(({ path }) => path === '/api/public/mcp').length).toBeGreaterThan(20);
    expect(terminal.output()).toMatch(/parley verify-log [0-9A-Za-z]{22} /);
  });

  test('prints the differences and fails if the mission does not end as the mission file describes', async () => {
    const mission = await loadMission('payment-capture');
    const file = join(await newFolder(), 'mission.json');
    await writeFile(
      file,
      JSON.stringify({
        ...mission,
        verification: [],
        outcome: { ...mission.outcome, contract_author: 'agent_a', turns: 99 },
      }),
    );
    const terminal = fakeTerminal();
    expect(await runCli(['demo', file, '--standalone'], terminal)).toBe(EXIT.MISMATCH);
    expect(terminal.output()).toContain('contract_author is "agent_b"; the mission file says "agent_a"');
    expect(terminal.output()).toContain('turns is 5; the mission file says 99');
  });

  test('fails when a step is refused', async () => {
    const mission = await loadMission('payment-capture');
    const file = join(await newFolder(), 'mission.json');
    const step = { by: 'agent_a', call: 'accept_decision', input: { decision_id: 'd_99' } };
    await writeFile(file, JSON.stringify({ ...mission, discussion: [step, ...mission.discussion] }));
    const terminal = fakeTerminal();
    expect(await runCli(['demo', file, '--standalone'], terminal)).toBe(EXIT.REFUSED);
    expect(terminal.errors()).toContain('accept_decision was refused: UNKNOWN_RECORD');
  });

  test('lists the missions, and refuses any other name', async () => {
    const terminal = fakeTerminal();
    expect(await runCli(['demo', '--list'], terminal)).toBe(EXIT.OK);
    expect(terminal.output().split('\n')).toHaveLength(MISSION_NAMES.length);
    expect(await runCli(['demo', 'chess'], terminal)).toBe(EXIT.USAGE);
    expect(await runCli(['demo', '--speed', '0'], terminal)).toBe(EXIT.USAGE);
  });

  test('pauses as long as reading takes, divided by the speed', async () => {
    const written: string[] = [];
    const start = performance.now();
    // 12 ms after each of two lines and 160 ms at the end, at twice the speed: 92 ms, and never less.
    await createPace(2)(['a', 'b'], (line) => written.push(line));
    expect(performance.now() - start).toBeGreaterThan(90);
    await createPace(0)(['c'], (line) => written.push(line));
    expect(written).toEqual(['a', 'b', 'c']);
  });
});
