import { type CallTool, loadMission, PARTS, runMission, withModerator } from '@parley/missions';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { runCli } from '../../src/cli/program.ts';
import { askedText } from '../../src/cli/sessions/confirmation.ts';
import { answerOf } from '../answer-of.ts';
import { fakeTerminal } from '../fake-terminal.ts';
import { KEY, runApp } from '../running-app.ts';

/**
 * Starts a service, and plays the mission up to the step that makes the call `call`, without this step. If several
 * steps make this call, `place` is the number of the step among them.
 */
async function playedTo(call: string, place = 1, isModerated = true) {
  const { url, parley } = await runApp();
  const owner = parley.owner('owner');
  const plain = await loadMission('payment-capture');
  const mission = isModerated ? withModerator(plain) : plain;
  let seen = 0;
  const parts = PARTS.map((part) => [
    part,
    mission[part].filter((step) => {
      if (seen < place && step.call === call) seen += 1;
      return seen < place;
    }),
  ]);
  const { sessionId, agents } = await runMission(
    { ...mission, ...Object.fromEntries(parts) },
    {
      owner,
      agents: async ({ code }) => parley.agent((await parley.redeem({ code })).token).call as CallTool,
    },
  );
  /**
   * Runs a command. If `typed` is undefined, there is no terminal for questions.
   * @param meanwhile runs after the question is asked, before the person has typed
   */
  const run = async (args: readonly string[], typed?: string, meanwhile?: () => Promise<unknown>) => {
    const asked: string[] = [];
    const question = async (text: string) => {
      asked.push(text);
      await meanwhile?.();
      return typed ?? '';
    };
    const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY });
    const code = await runCli(args, typed === undefined ? terminal : { ...terminal, question });
    return { code, asked, out: terminal.output(), err: terminal.errors() };
  };
  const phase = async () => (await owner.view(sessionId)).state.phase;
  return { owner, sessionId, agents, run, phase };
}

describe('the line above the prompt', () => {
  const brief = { stage: 'approval', revision_id: 'r_2', content_hash: 'ab12', manifest_sha256: 'cd34' };
  const request = { message_id: 55, answered_by: 'r_2', is_named: false };

  test.each([
    ['r_2, content_hash ab12', {}],
    ['r_2, content_hash ab12; not read: 1 section.', { unread: ['tasks'] }],
    [
      'r_2, content_hash ab12; not read: 2 sections. Check first: your request #55.',
      { unread: ['tasks', 'scope', 'summary'], requests: [request, { ...request, message_id: 60, is_named: true }] },
    ],
    [
      'r_2, content_hash ab12. Check first: your request #55.',
      { requests: [request, { ...request, message_id: 71, answered_by: null }] },
    ],
    ['deployment of r_2, manifest cd34', { stage: 'deployment', unread: [] }],
  ])('is: %s', (text, more) => {
    expect(askedText(answerOf('brief', { ...brief, ...more }))).toBe(text);
  });
});

const withoutSession = (line: string): string => line.trim().replace(/(?<= approve-contract )\S+/, 'S');

describe('parley approve-contract', () => {
  test('shows the brief to a person and accepts the first eight characters of the hash', async () => {
    const { run, owner, sessionId, phase } = await playedTo('approveContract');
    const { content_hash } = await owner.plan(sessionId);
    const { code, asked, out } = await run(['approve-contract', sessionId], String(content_hash).slice(0, 8));
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.OK, phase: 'READINESS' });
    expect(asked).toEqual(['To approve exactly this revision, type the first 8 characters of its content_hash: ']);
    expect(out.slice(0, out.indexOf('not read: 12')).split(String(content_hash))).toHaveLength(2);
    expect(out).toMatch(new RegExp(`\n\nr_\\d+, content_hash\\s${content_hash}; not\\sread: 12\\ssections\\.`));
    for (const part of [
      'missing',
      'changed since the beginning',
      '  summary  5, not read',
      'decisions added',
      'open caveats',
      'moderator',
    ])
      expect(out.split('\n')).toContain(part);
  });

  test('mark-read names the sections that remain as the brief names them', async () => {
    const { sessionId, owner, run } = await playedTo('approveContract');
    const revision = String((await owner.plan(sessionId)).revision_id);
    const { out } = await run(['mark-read', sessionId, '--revision-id', revision, '--sections', 'requirements']);
    expect(out.replace(/\s+/g, ' ')).toContain(
      `Recorded. Sections of ${revision} that you have not marked as read: summary, decisions, interfaces, data_models, tasks, tests, gates, risks, dependencies, rollout, artifacts.`,
    );
  });

  test('plan --unread prints the sections that are not marked as read', async () => {
    const { sessionId, owner, run } = await playedTo('approveContract');
    const revision = String((await owner.plan(sessionId)).revision_id);
    const mark = (sections: string) => run(['mark-read', sessionId, '--revision-id', revision, '--sections', sections]);
    await mark('requirements,summary,decisions,interfaces,data_models,tasks,gates,dependencies,rollout,artifacts');
    const lines = (await run(['plan', sessionId, '--unread'])).out.split('\n');
    expect(lines.slice(0, 2).join(' ')).toBe(
      `${revision}: 10 of 12 sections read. Left out: requirements, summary, decisions, interfaces, data_models, tasks, gates, dependencies, rollout, artifacts.`,
    );
    expect(lines.filter((line) => /^(Tests|Tasks|Risks|Safety conditions|requirements)\b/.test(line))).toEqual([
      'Tests (not read)',
      'Risks (not read)',
      'Safety conditions',
    ]);
    expect((await run(['plan', sessionId])).out).toContain(
      `To print what you have not read: parley plan ${sessionId} --unread`,
    );
    await mark('all');
    expect((await run(['plan', sessionId, '--unread'])).out.split('\n')[0]).toBe(
      `You have read every section of ${revision}.`,
    );
  });

  test('plan --unread prints only the new and changed records of a section that was read in an earlier revision', async () => {
    const { sessionId, run } = await playedTo('approveContract');
    await run(['mark-read', sessionId, '--revision-id', 'r_1', '--sections', 'all']);
    const lines = (await run(['plan', sessionId, '--unread'])).out.split('\n');
    expect(lines.filter((line) => /^(`[a-z]|- \[ |\d+ record)/.test(line)).map((line) => line.slice(0, 28))).toEqual([
      '`if-book-entry` (changed) Bo',
      '2 records unchanged since r_',
      '- [ ] `shop-send-key` (chang',
      '- [ ] `ledger-book-by-key` (',
      '4 records unchanged since r_',
      '`v-killed-booking-frees-key`',
      '6 records unchanged since r_',
      '2 records unchanged since r_',
      '4 records unchanged since r_',
    ]);
  });

  test('changes nothing if something else is typed', async () => {
    const { run, sessionId, phase } = await playedTo('approveContract');
    const { code, err } = await run(['approve-contract', sessionId], 'approval');
    expect({ code, err, phase: await phase() }).toEqual({
      code: EXIT.REFUSED,
      err: 'parley: What you typed does not match. Nothing was changed. To try again, run the command again.',
      phase: 'CONTRACT',
    });
  });

  test('prints the whole command without a terminal, or if one flag is missing', async () => {
    const { run, owner, sessionId, phase } = await playedTo('approveContract');
    const { revision_id, content_hash } = await owner.plan(sessionId);
    const { seq, hash } = (await owner.view(sessionId)).head;
    const line = `parley approve-contract ${sessionId} --revision-id ${revision_id} --content-hash ${content_hash} --seen ${seq} --seen-hash ${hash.slice(0, 16)}`;
    for (const [args, typed] of [
      [[], undefined],
      [['--yes'], 'x'],
      [['--json'], 'x'],
      [['--revision-id', 'r_1'], 'x'],
    ] as const) {
      const { code, err, asked } = await run(['approve-contract', sessionId, ...args], typed);
      expect({ code, asked }).toEqual({ code: EXIT.USAGE, asked: [] });
      expect(err).toContain('Name the revision to approve with --revision-id and --content-hash');
      expect(err.split('\n').at(-1)).toBe(`  ${line}`);
    }
    for (const command of ['brief', 'waiting', 'view', 'blockers']) {
      const { out } = await run([command, sessionId]);
      const printed = out.split('\n').filter((one) => one.includes(' approve-contract '));
      // The list has the session by the beginning of its id, and no hash of the latest event.
      expect(printed.map(withoutSession)).toEqual([
        command === 'waiting' ? withoutSession(line).replace(/ --seen-hash .*/, '') : withoutSession(line),
      ]);
    }
    expect((await run(line.split(' ').slice(1))).code).toBe(EXIT.OK);
    expect(await phase()).toBe('READINESS');
  });

  test('is printed at a terminal as the command that asks', async () => {
    const { run, sessionId } = await playedTo('approveContract');
    for (const command of ['brief', 'waiting', 'view', 'blockers']) {
      const { out } = await run([command, sessionId], 'x');
      expect(out.split('\n').map(withoutSession)).toContain('parley approve-contract S');
    }
  });

  test('does not ask on a terminal if both flags are given', async () => {
    const { run, owner, sessionId, phase } = await playedTo('approveContract');
    const { revision_id, content_hash, head } = await owner.plan(sessionId);
    const named = ['--revision-id', String(revision_id), '--content-hash', String(content_hash)];
    const flags = [...named, '--seen', String(head.seq)];
    const { code, asked } = await run(['approve-contract', sessionId, ...flags, '--yes'], 'x');
    expect({ code, asked, phase: await phase() }).toEqual({ code: EXIT.OK, asked: [], phase: 'READINESS' });
  });
});

describe('parley authorize', () => {
  test("shows both commits and the moderator's advice to a person, and accepts the name of the stage", async () => {
    const { run, sessionId, phase } = await playedTo('authorize', 2);
    const refused = await run(['authorize', sessionId, '--stage', 'deployment'], 'build');
    expect({ code: refused.code, phase: await phase() }).toEqual({ code: EXIT.REFUSED, phase: 'VERIFY' });
    const { code, out } = await run(['authorize', sessionId, '--stage', 'deployment'], ' Deployment ');
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.OK, phase: 'RELEASE' });
    for (const part of ['commits', 'deviations in passed scenarios', 'defects', 'moderator'])
      expect(out.split('\n')).toContain(part);
    expect(out).toMatch(/\(agent_a\) {2}[0-9a-f]{7,}/);
    expect(out).toMatch(/\(agent_b\) {2}[0-9a-f]{7,}/);
  });

  test('shows before the activation what each agent reported on the gates', async () => {
    const { run, owner, sessionId, agents } = await playedTo('authorize', 3);
    const { actions } = await owner.view(sessionId);
    const due = actions.find(({ type, due_to }) => type === 'REPORT_GATES' && due_to === 'agent_a');
    await agents.agent_a('complete_action', { action_id: due?.action_id, note: 'One payment, one entry.' });
    const { code, out } = await run(['authorize', sessionId, '--stage', 'activation'], 'activation');
    expect(code).toBe(EXIT.OK);
    const lines = out.split('\n');
    expect(lines[lines.indexOf('gates of this stage') + 1]).toMatch(/^ {2}gate-\S+ {2}/);
    const from = lines.indexOf('reports on the gates');
    expect(lines.slice(from + 1, from + 3)).toEqual([
      '  Shop agent (agent_a): One payment, one entry.',
      '  Ledger agent (agent_b): has not reported yet',
    ]);
    const { head } = await owner.view(sessionId);
    const transcript = await run(['transcript', sessionId, '--after', String(head.seq - 8)]);
    expect(transcript.out).toMatch(
      /Shop agent \(agent_a\) {2}completes act_\d+: the report on the gates\n│ [-0-9]{10} [0-9:]{5} UTC\n│ One payment, one entry\./,
    );
  });

  test('prints the missing conditions and does not ask while the service would refuse the step', async () => {
    const { run, sessionId, phase } = await playedTo('authorize', 2);
    const { code, asked, err } = await run(['authorize', sessionId, '--stage', 'activation'], 'activation');
    expect({ code, asked, phase: await phase() }).toEqual({ code: EXIT.REFUSED, asked: [], phase: 'VERIFY' });
    expect(err.split('\n')).toEqual([
      'parley: This step is not possible yet, and nothing was changed. What is missing:',
      '  The session is in VERIFY, not in RELEASE.',
    ]);
  });

  test("accepts the beginning of the manifest's hash", async () => {
    const { run, owner, sessionId, phase } = await playedTo('authorize');
    const { manifest_sha256 } = await owner.brief(sessionId, { stage: 'build' });
    const { code } = await run(['authorize', sessionId, '--stage', 'build'], String(manifest_sha256).slice(0, 8));
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.OK, phase: 'VERIFY' });
  });

  test('does not ask with --yes and with --json', async () => {
    const { run, owner, sessionId, phase } = await playedTo('authorize');
    const seen = String((await owner.view(sessionId)).head.seq);
    const { code, asked } = await run(['authorize', sessionId, '--stage', 'build', '--seen', seen, '--yes'], 'x');
    expect({ code, asked, phase: await phase() }).toEqual({ code: EXIT.OK, asked: [], phase: 'VERIFY' });
    const json = await run(['authorize', sessionId, '--stage', 'deployment', '--json'], 'x');
    expect([json.code, json.asked]).toEqual([EXIT.REFUSED, []]);
  });

  test('without a terminal, does nothing without --yes and prints the whole command', async () => {
    const { run, owner, sessionId, phase } = await playedTo('authorize', 2);
    const { seq, hash } = (await owner.view(sessionId)).head;
    const seen = ['--seen', String(seq), '--seen-hash', hash.slice(0, 16)];
    const refused = await run(['authorize', sessionId, '--stage', 'deployment', '--note', 'Go.', ...seen]);
    expect({ code: refused.code, phase: await phase() }).toEqual({ code: EXIT.USAGE, phase: 'VERIFY' });
    const line = refused.err.split('\n').at(-1) ?? '';
    expect(refused.err).toContain('parley: Confirm with --yes');
    expect(line).toBe(`  parley authorize ${sessionId} --yes --stage deployment --note Go. ${seen.join(' ')}`);
    expect((await run(line.trim().split(' ').slice(1))).code).toBe(EXIT.OK);
    expect(await phase()).toBe('RELEASE');
  });
});

describe('what a person had read before parley authorize', () => {
  test('is refused with what changed and the command that decides on that', async () => {
    const { run, owner, sessionId, agents, phase } = await playedTo('authorize', 3);
    const at = (await owner.view(sessionId)).head.seq;
    const { handshakes } = await owner.board(sessionId);
    const { service, commit, environment } = Object(handshakes.agent_b);
    const body = { service, commit, environment, ready: true, dependencies_healthy: true, version: '9.9.9' };
    const { code, err } = await run(['authorize', sessionId, '--stage', 'activation'], 'activation', () =>
      agents.agent_b('verify_handshake', body),
    );
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.REFUSED, phase: 'RELEASE' });
    const lines = err.split('\n');
    const { hash } = (await owner.view(sessionId)).head;
    expect(lines[0]).toContain(
      `parley: GROUNDS_CHANGED: Changed since event ${at}, which you had read: handshake agent_b (now commit ${commit}, `,
    );
    expect(lines.slice(-3)).toEqual([
      expect.stringContaining(`  handshake agent_b: commit ${commit}, declared 20`),
      'To decide on this:',
      `  parley authorize ${sessionId} --stage activation --seen ${at + 1} --seen-hash ${hash.slice(0, 16)}`,
    ]);
    const again = await run([...(lines.at(-1) ?? '').trim().split(' ').slice(1), '--yes']);
    expect(again.code).toBe(EXIT.OK);
  });

  test('is required of a script, which gets what the decision would rest on', async () => {
    const { run, owner, sessionId, phase } = await playedTo('authorize');
    const { code, err } = await run(['authorize', sessionId, '--stage', 'build', '--yes']);
    const { seq, hash } = (await owner.view(sessionId)).head;
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.REFUSED, phase: 'READINESS' });
    expect(err).toMatch(/^ {2}readiness agent_a: READY_TO_CODE \(event \d+\)$/m);
    expect(err.split('\n').at(-1)).toBe(
      `  parley authorize ${sessionId} --yes --stage build --seen ${seq} --seen-hash ${hash.slice(0, 16)}`,
    );
  });

  test('names no moderator if the session never had one', async () => {
    const { run, sessionId } = await playedTo('authorize', 1, false);
    const { err } = await run(['authorize', sessionId, '--stage', 'build', '--yes']);
    expect(err).toContain('  readiness agent_a: READY_TO_CODE');
    expect(err).not.toContain('moderator');
  });

  test('is refused if the event with its number is another one, as after a restore', async () => {
    const { run, owner, sessionId, phase } = await playedTo('authorize');
    const seen = String((await owner.view(sessionId)).head.seq);
    const flags = ['--stage', 'build', '--seen', seen, '--seen-hash', 'f'.repeat(16), '--yes'];
    const { code, err } = await run(['authorize', sessionId, ...flags]);
    expect({ code, phase: await phase() }).toEqual({ code: EXIT.REFUSED, phase: 'READINESS' });
    expect(err).toContain(
      `parley: GROUNDS_CHANGED: The log no longer has the event ${seen} that you had read: a restore or a failover replaced it.`,
    );
    expect(err).toMatch(/^ {2}readiness agent_a: READY_TO_CODE \(event \d+\)$/m);
  });
});

test('parley changes prints the changes by section', async () => {
  const { run, sessionId } = await playedTo('approveContract');
  const { out, code } = await run(['changes', sessionId]);
  expect(code).toBe(EXIT.OK);
  expect(out).toMatch(/^r_\d+: you have read no revision yet, so everything is new \(\d+ changes\)\n/);
  expect(out).toMatch(/\ninterfaces \(\d+ changes?, not read\)\n {2}\+ interfaces › /);
});
