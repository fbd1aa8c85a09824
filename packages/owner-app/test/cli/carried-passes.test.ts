import { createAgentClient, overHttp, redeem } from '@parley/core/client';
import { type CallTool, loadMission, PARTS, runMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.ts';
import { UNLIMITED } from '../../src/text/page.ts';
import { AS_OWNER, ask } from '../ask.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp } from '../running-app.ts';

const NEXT = 'd4077a1bb9e2c6350f8841adcc19e5b27f3a6d60';
const REASON = 'Only a comment and the README changed.';

/** The mission payment-capture up to the deployment, with a contract that lets the owner carry each pass over. */
async function certifiedMission() {
  const mission = await loadMission('payment-capture');
  const [first, ...others] = mission.contract;
  const { contract, ...input } = Object(first?.input);
  const tests = Array.from(Object.values(contract.tests), (one) => ({
    ...Object(one),
    evidence_policy: { ...Object(one).evidence_policy, carry: 'owner' },
  }));
  const end = mission.verification.findIndex(({ by, call }) => by === 'owner' && call === 'authorize');
  const declared = mission.verification.findLast(({ by, call }) => by === 'agent_a' && call === 'verify_handshake');
  const cut = {
    ...mission,
    contract: first ? [{ ...first, input: { ...input, contract: { ...contract, tests } } }, ...others] : others,
    verification: mission.verification.slice(0, end),
  };
  return { mission: { ...cut, ...Object.fromEntries(PARTS.map((part) => [part, cut[part]])) }, declared };
}

test('a commit that touches comments only: its paths are declared, the owner carries the passes over, and every list marks them', async () => {
  const { url, parley } = await runApp();
  const { mission, declared } = await certifiedMission();
  const agentsUrl = `${url}/api/public/agent`;
  const { sessionId, agents } = await runMission(mission, {
    owner: parley.owner('owner'),
    agents: async ({ code, role, sessionId: session_id }) => {
      const { token } = await redeem(overHttp(agentsUrl), { code });
      return createAgentClient(overHttp(agentsUrl), { session_id, token, role }).call as CallTool;
    },
  });
  const run = async (...args: readonly string[]): Promise<string> => {
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, UNLIMITED);
    await runCli(args, terminal);
    return terminal.output() || terminal.errors();
  };
  const view = async () => (await ask(url, `/owner/api/sessions/${sessionId}`, { headers: AS_OWNER })).json;
  const carries = async (): Promise<string[]> =>
    (await view()).waits.flatMap((wait: { kind: string; record: { id: string } }) =>
      wait.kind === 'CARRY' ? [wait.record.id] : [],
    );

  const { commit, ...handshake } = Object(declared?.input);
  const changes = { [commit]: ['README.md', 'src/captures/send-key.ts'] };
  await agents.agent_a('verify_handshake', { ...handshake, version: '2026.11.5', commit: NEXT, changes });
  expect((await agents.agent_a('read_session_state', {})).instruction.text).toBe(
    'Scenario v-retries-book-once passed on commits that are no longer declared: run it again with verify_start_attempt. The owner can carry the pass over instead: wait for that with wait_for_my_turn.',
  );
  expect(await carries()).toEqual(['v-retries-book-once', 'v-reused-key-refused', 'v-look-up-on-primary']);
  expect(await run('waiting', sessionId)).toContain(
    'v-retries-book-once/2 is stale; Shop agent (agent_a) declares 2 changed paths since 91c7d35e0f84: compare them with git, then carry the pass over, or let Shop agent (agent_a) run the scenario again.',
  );

  const { seq } = (await view()).head;
  const first = { scenario_id: 'v-retries-book-once', reason: REASON, seen: seq };
  const carried = await ask(url, `/owner/api/sessions/${sessionId}/carry-pass`, { headers: AS_OWNER, body: first });
  expect(carried.json).toMatchObject({
    attempt: 2,
    carried: { by: 'owner', reason: REASON, changes: [{ declared_by: 'agent_a', since: commit, paths: 2 }] },
  });
  // The passes of the scenarios that depend on a carried one come after it.
  for (let [next] = await carries(); next !== undefined; [next] = await carries()) {
    const seen = String((await view()).head.seq);
    const said = await run('carry-pass', sessionId, '--scenario-id', next, '--reason', REASON, '--seen', seen);
    expect(said).toContain(`${next}/`);
    expect(said).toContain('counts as passed: 91c7d35e0f84 → d4077a1bb9e2');
  }

  expect(await run('board', sessionId)).toContain('passes carried over');
  const over =
    'v-retries-book-once/2, by you: 91c7d35e0f84 → d4077a1bb9e2 (2 changed paths, declared by Shop agent (agent_a)): Only a comment and the README changed.';
  expect(await run('brief', sessionId)).toContain(over);
  expect(await run('report', sessionId)).toContain('Passes carried over to other commits without a rerun');
  const board = await agents.agent_b('verify_board', { scenario_id: 'v-retries-book-once' });
  expect(JSON.stringify(board)).toContain(`"reason":"${REASON}"`);
  // A revision has added this scenario without the right to carry: it has to run again.
  const { checks } = (await parley.owner('owner').board(sessionId)).certification;
  expect(checks.filter(({ ok }) => !ok)).toEqual([
    {
      check: 'SCENARIOS_PASSED',
      ok: false,
      detail: 'Scenarios that have not passed: v-killed-booking-frees-key STALE.',
    },
  ]);
  const added = ['--scenario-id', 'v-killed-booking-frees-key', '--reason', REASON];
  expect(await run('carry-pass', sessionId, ...added, '--seen', String((await view()).head.seq))).toBe(
    'parley: NOT_ASSIGNED: The contract lets nobody carry a pass of v-killed-booking-frees-key over: its evidence_policy has no carry.\nLet the scenario run again.',
  );
});
