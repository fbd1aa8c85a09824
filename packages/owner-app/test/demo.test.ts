import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMission, MISSION_NAMES } from '@parley/missions';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../src/cli/exit-codes.ts';
import { runCli } from '../src/cli/program.ts';
import { createPace } from '../src/demo/pace.ts';
import { fakeTerminal } from './fake-terminal.ts';
import { newFolder } from './new-folder.ts';
import { KEY, runApp } from './running-app.ts';

describe('parley demo', () => {
  test.each(MISSION_NAMES)('plays %s on a server of its own, to the end as written', async (name) => {
    const terminal = fakeTerminal();
    const { session, discussion, outcome } = await loadMission(name);
    expect(await runCli(['demo', name, '--standalone'], terminal)).toBe(EXIT.OK);
    const shown = terminal.output();
    expect(shown).toContain(session.title);
    expect(shown).toContain(
      `author        ${session.agents[outcome.contract_author].name}, elected after ${outcome.turns} turns`,
    );
    expect(shown).toContain('Everything went as the mission is written.');
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

  test('shows how a contract comes to its build: hash, findings, blockers, approval, manifest and readiness', async () => {
    const terminal = fakeTerminal();
    await runCli(['demo', 'signed-webhooks', '--standalone'], terminal);
    const shown = terminal.output();
    const moments = [
      '● Platform agent  saves r_1\n',
      '· 3 things block the contract, first PREFLIGHT_MISSING',
      '● Platform agent  maps every requirement to r_1\n',
      '● Connector agent  raises f_1 (RISK, blocking)',
      '● Connector agent  reviews r_1: REQUEST_CHANGES',
      '● Platform agent  saves r_2, after r_1\n',
      '● Platform agent  accepts f_1, mended in r_2',
      '✔ f_1 is RESOLVED',
      '● owner  overrides f_2',
      '· 1 thing blocks the contract, first REVIEW_MISSING',
      '✔ nothing blocks: the contract is certified',
      '● owner  approves r_2, these bytes and no others',
      '│ for B        ',
      '● Connector agent  has handoff-agent-b.md',
      '● Connector agent  reports READY_TO_CODE on m_1',
      '✔ Both agents are told to BEGIN_BUILD',
    ];
    const places = moments.map((moment) => shown.indexOf(moment));
    expect(moments.filter((_, index) => places[index] === -1)).toEqual([]);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const hash = /approves r_2.*\n│ content_hash ([0-9a-f]{64})/.exec(shown)?.[1] ?? '';
    expect(shown.split(hash).length - 1).toBeGreaterThanOrEqual(6);
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

  test('says what differs and fails when a mission does not end as written', async () => {
    const mission = await loadMission('payment-capture');
    const file = join(await newFolder(), 'mission.json');
    await writeFile(
      file,
      JSON.stringify({ ...mission, outcome: { ...mission.outcome, contract_author: 'agent_a', turns: 99 } }),
    );
    const terminal = fakeTerminal();
    expect(await runCli(['demo', file, '--standalone'], terminal)).toBe(EXIT.MISMATCH);
    expect(terminal.output()).toContain('contract_author is "agent_b"; the mission says "agent_a"');
    expect(terminal.output()).toContain('turns is 5; the mission says 99');
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

  test('lists the missions, and knows no other', async () => {
    const terminal = fakeTerminal();
    expect(await runCli(['demo', '--list'], terminal)).toBe(EXIT.OK);
    expect(terminal.output().split('\n')).toHaveLength(MISSION_NAMES.length);
    expect(await runCli(['demo', 'chess'], terminal)).toBe(EXIT.USAGE);
    expect(await runCli(['demo', '--speed', '0'], terminal)).toBe(EXIT.USAGE);
  });

  test('takes the time of a reader, divided by the speed', async () => {
    const written: string[] = [];
    const start = performance.now();
    await createPace(20)(['a', 'b'], (line) => written.push(line));
    expect(performance.now() - start).toBeGreaterThan(24);
    await createPace(0)(['c'], (line) => written.push(line));
    expect(written).toEqual(['a', 'b', 'c']);
  });
});
