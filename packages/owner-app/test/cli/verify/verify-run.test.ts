import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { newFolder } from '../../new-folder.ts';
import { recordedMission } from './recorded-mission.ts';
import { expectCertificate, withForge } from './whole-mission.ts';

const BOOK = 'v-retries-book-once';
const NAMED = {
  level: 'recorded',
  correlated: true,
  per_agent_tests: { agent_a: ['books once'], agent_b: ['captures > keeps the key'] },
};

const suite = (...args: readonly string[]) => ['--', process.execPath, 'suite.mjs', ...args];
const junit = (code: string, ...tests: readonly string[]) => [
  '--junit',
  'report.xml',
  ...suite('report.xml', code, ...tests),
];

describe('parley verify run', () => {
  test('records a run of each side, which certifies a scenario at the level recorded', async () => {
    const { verify, agents, scenario, repositories } = await recordedMission(NAMED);
    expect(Object(await agents.agent_a('verify_next', {})).items[0]).toMatchObject({
      tool: 'verify_start_attempt',
      reason: expect.stringContaining(
        'The contract demands a run: `parley verify run --scenario v-retries-book-once --junit FILE -- COMMAND` in your repository',
      ),
    });
    const ran = await verify('agent_a', '--scenario', BOOK, ...junit('0', 'books once=passed', 'later=skipped'));
    expect(ran).toMatchObject({ code: EXIT.OK, err: '' });
    expect(ran.out).toContain('ran 2 tests');
    expect(ran.out).toMatch(/ended with exit code 0 after \d+\.\d s; 1 passed, 0 failed, 1 skipped\./);
    expect(ran.out).toContain('Missing: agent_b: 1 more item of level recorded');
    expect(ran.out).toContain(
      'Missing: agent_b: the test "captures > keeps the key", which is in no report of a recorded run',
    );
    expect(Object(await agents.agent_b('verify_next', {})).items[0].reason).toContain(
      '`parley verify run --scenario v-retries-book-once --junit FILE --as verifier -- COMMAND`',
    );
    const other = await verify(
      'agent_b',
      '--scenario',
      BOOK,
      '--as',
      'verifier',
      ...junit('0', 'keeps the key=passed'),
    );
    expect(other).toMatchObject({ code: EXIT.OK, out: expect.stringContaining('The evidence is enough for a PASS.') });
    await agents.agent_b('verify_verify', { scenario_id: BOOK, attempt: 1, verdict: 'PASS' });
    const { status, level, demands, attempts } = await scenario(BOOK);
    expect({ status, level, demands }).toEqual({
      status: 'PASSED',
      level: 'recorded',
      demands: { level: 'recorded', per_agent_tests: NAMED.per_agent_tests },
    });
    expect(attempts[0]).toMatchObject({ level: 'recorded', evidence: [{ by: 'agent_a' }, { by: 'agent_b' }] });
    const [own] = attempts[0].evidence;
    expect(own).toMatchObject({
      level: 'recorded',
      kind: 'test_report',
      assertions: [{ name: 'exit code', expected: 0, actual: 0, passed: true }],
      run: {
        argv: [process.execPath, 'suite.mjs', 'report.xml', '0', 'books once=passed', 'later=skipped'],
        exit_code: 0,
        commit: repositories.agent_a.commit,
        dirty: false,
        on: 'agent_a',
        named: [{ name: 'books once', status: 'passed' }],
        report: {
          format: 'junit',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          size: 164,
          passed: 1,
          failed: 0,
          skipped: 1,
          tests: [
            { name: 'books once', suite: 'captures', status: 'passed' },
            { name: 'later', suite: 'captures', status: 'skipped' },
          ],
        },
        output: 'ran 2 tests',
      },
    });
    expect(own.run).not.toHaveProperty('not_recorded');
  });

  test('lets the other side run the repository of the executor on its declared commit', async () => {
    const { verify, repositories, scenario } = await recordedMission({ level: 'recorded' });
    await verify('agent_a', '--scenario', BOOK, ...suite('/dev/null', '0'));
    const checkout = repositories.agent_a.folder;
    const ran = await verify(
      'agent_b',
      '--scenario',
      BOOK,
      '--as',
      'verifier',
      '--folder',
      checkout,
      ...suite('/dev/null', '0'),
    );
    expect(ran.code).toBe(EXIT.OK);
    const { attempts } = await scenario(BOOK);
    expect(attempts[0]).toMatchObject({
      level: 'recorded',
      evaluation: { met: true },
      evidence: [
        { by: 'agent_a', run: { on: 'agent_a' } },
        { by: 'agent_b', level: 'recorded', run: { on: 'agent_a' } },
      ],
    });
  });

  test('sends a failed run, which cannot lead to a PASS, and ends with another exit code', async () => {
    const { verify, scenario, agents } = await recordedMission({ level: 'recorded' });
    const ran = await verify('agent_a', '--scenario', BOOK, ...suite('/dev/null', '3'));
    expect(ran).toMatchObject({ code: EXIT.MISMATCH, out: expect.stringContaining('The command failed.') });
    const { attempts } = await scenario(BOOK);
    expect(attempts[0]).toMatchObject({ level: null, evidence: [{ failed: true, run: { exit_code: 3 } }] });
    await verify('agent_b', '--scenario', BOOK, '--as', 'verifier', ...suite('/dev/null', '0'));
    await expect(
      agents.agent_b('verify_verify', { scenario_id: BOOK, attempt: 1, verdict: 'PASS' }),
    ).rejects.toMatchObject({ code: 'EVIDENCE_POLICY_UNMET' });
  });

  test('refuses what is not a run of the declared commit, and stores nothing', async () => {
    const { verify, repositories, scenario } = await recordedMission({ level: 'recorded' });
    const { folder, git, commit } = repositories.agent_a;
    const passing = suite('/dev/null', '0');
    const refused = async (by: 'agent_a' | 'agent_b', args: readonly string[], code: number, said: string) =>
      expect.soft(await verify(by, ...args), said).toMatchObject({ code, err: expect.stringContaining(said) });
    const own = ['--scenario', BOOK];

    await writeFile(join(folder, 'new.mjs'), '');
    await refused('agent_a', [...own, ...passing], EXIT.REFUSED, 'Files differ from the commit: new.mjs.');
    git('clean', '--quiet', '--force');
    const changed = 'Files differ from the commit: README.md. The command has changed them';
    await refused('agent_a', [...own, ...suite('README.md', '0')], EXIT.REFUSED, changed);
    git('checkout', '--quiet', 'README.md');

    git('commit', '--quiet', '--allow-empty', '--message', 'Two');
    await refused('agent_a', [...own, ...passing], EXIT.REFUSED, `and declared is ${commit}`);
    const checkout = ['--', 'git', 'checkout', '--quiet', git('rev-parse', 'HEAD')];
    git('checkout', '--quiet', commit);
    await refused('agent_a', [...own, ...checkout], EXIT.REFUSED, 'has checked out another commit');
    git('checkout', '--quiet', commit);

    await writeFile(join(folder, 'report.xml'), '<testsuite><testcase name="a"/></testsuite>');
    const stale = [...own, '--junit', 'report.xml', ...passing];
    await refused('agent_a', stale, EXIT.REFUSED, 'report is of an earlier run');
    const otherForm = [...own, '--tap', 'report.xml', ...suite('report.xml', '0')];
    await refused('agent_a', otherForm, EXIT.USAGE, 'no test point');
    git('clean', '--quiet', '--force');

    const asVerifier = [...own, '--as', 'verifier', ...passing];
    await refused(
      'agent_b',
      [...own, ...passing],
      EXIT.USAGE,
      'agent_a executes v-retries-book-once. Add --as verifier',
    );
    await refused('agent_a', asVerifier, EXIT.USAGE, 'You execute v-retries-book-once: leave --as verifier out.');
    await refused('agent_b', asVerifier, EXIT.REFUSED, 'No attempt of v-retries-book-once is open');
    await refused('agent_a', ['--scenario', 'v-none', ...passing], EXIT.REFUSED, 'UNKNOWN_RECORD');
    await refused('agent_a', [...own, '--', 'no-such-program'], EXIT.USAGE, 'no-such-program cannot be started');
    expect((await scenario(BOOK)).attempts).toEqual([]);
  });

  test('says in the evidence that it was told to run on other files or on another commit, and this does not count', async () => {
    const { verify, repositories, scenario, agents } = await recordedMission({ level: 'recorded' });
    const { folder, git } = repositories.agent_a;
    await writeFile(join(folder, 'new.mjs'), '');
    const dirty = await verify('agent_a', '--scenario', BOOK, '--allow-dirty', ...suite('/dev/null', '0'));
    expect(dirty).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringContaining('Files differ from the commit, so the run does not count as recorded: new.mjs.'),
    });
    git('clean', '--quiet', '--force');
    git('commit', '--quiet', '--allow-empty', '--message', 'Two');
    await verify('agent_a', '--scenario', BOOK, '--allow-other-commit', ...suite('/dev/null', '0'));
    const { attempts } = await scenario(BOOK);
    expect(attempts[0].evidence).toMatchObject([
      { level: 'claimed', run: { dirty: true, not_recorded: ['DIRTY_TREE'] } },
      { level: 'claimed', run: { commit: git('rev-parse', 'HEAD'), not_recorded: ['OTHER_COMMIT'] } },
    ]);
    expect(Object(await agents.agent_a('verify_next', {})).items[0].reason).toContain('1 more item of level recorded');
  });

  test('ends with another exit code if the attempt has failed, or evidence of the own side is missing', async () => {
    const { verify } = await recordedMission({ level: 'recorded', min_items: 2 });
    const again = ['--scenario', BOOK, '--request-id', 'req-1'];
    const first = await verify('agent_a', ...again, ...suite('/dev/null', '0'));
    expect(first).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringContaining('Missing: agent_a: 1 more item of level recorded'),
    });
    await verify('agent_a', ...again, ...suite('/dev/null', '1'));
    const last = await verify('agent_a', ...again, ...suite('/dev/null', '0'));
    expect(last).toMatchObject({
      code: EXIT.MISMATCH,
      out: expect.stringMatching(/Failing: agent_a: the run or an assertion failed in message #\d+/),
    });
  });

  test('sends nothing if another commit was declared during the run', async () => {
    const { verify, declare, scenario } = await recordedMission({ level: 'recorded' });
    const [started, go] = [join(await newFolder(), 'started'), join(await newFolder(), 'go')];
    const script = `const fs = require('fs'); fs.writeFileSync(${JSON.stringify(started)}, ''); const wait = () => fs.existsSync(${JSON.stringify(go)}) || setTimeout(wait, 20); wait();`;
    const running = verify('agent_a', '--scenario', BOOK, '--', process.execPath, '--eval', script);
    while (!existsSync(started)) await sleep(20);
    await declare('agent_a', 'c'.repeat(40));
    await writeFile(go, '');
    expect(await running).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringMatching(/and declared is c{40}.* Nothing was sent/),
    });
    expect((await scenario(BOOK)).attempts).toEqual([]);
  });

  test('leaves out the name of a test that looks like a credential, unless the contract names the test', async () => {
    const { verify, scenario } = await recordedMission({ ...NAMED, per_agent_tests: { agent_a: ['books once'] } });
    const secret = `gh${'p_'}R4nd0mT0k3nOfThisTestZk8Zk8Zk8Zk8Zk8Zk8`;
    const writing = (cases: string): string[] => {
      const script = `require('fs').writeFileSync('report.xml', atob('${btoa(`<testsuite>${cases}</testsuite>`)}'))`;
      return ['--scenario', BOOK, '--junit', 'report.xml', '--', process.execPath, '--eval', script];
    };
    const books = '<testcase classname="captures" name="books once"/>';
    const ran = await verify('agent_a', ...writing(`<testcase name="${secret}"/>${books}`));
    expect(ran).toMatchObject({
      code: EXIT.OK,
      err: expect.stringContaining('Left out is what looks like a credential: the names of 1 test.'),
    });
    const stored = await scenario(BOOK);
    const [{ level, run, summary }] = stored.attempts[0].evidence;
    expect(level).toBe('recorded');
    expect(run.report.tests).toEqual([
      { name: 'books once', suite: 'captures', status: 'passed' },
      { name: '[secret]', status: 'passed' },
    ]);
    expect(summary).toContain('Left out is what looks like a credential');
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(await verify('agent_a', ...writing(`<testcase classname="${secret}" name="books once"/>`))).toMatchObject({
      code: EXIT.REFUSED,
      err: expect.stringContaining('The test books once, which the contract names, looks like a credential'),
    });
    expect((await scenario(BOOK)).attempts[0].evidence).toHaveLength(1);
  });

  test('leaves the end of the output out if it looks like a credential, and gives the command no token', async () => {
    const { verify, scenario } = await recordedMission({ level: 'recorded' });
    const secret = `gh${'p_'}R4nd0mT0k3nOfThisTestZk8Zk8Zk8Zk8Zk8Zk8`;
    const print = `console.log(process.env.PARLEY_TOKEN ?? 'no token'); console.log('${'gh'}' + 'p_R4nd0mT0k3nOfThisTestZk8Zk8Zk8Zk8Zk8Zk8')`;
    const ran = await verify('agent_a', '--scenario', BOOK, '--', process.execPath, '--eval', print);
    expect(ran).toMatchObject({
      code: EXIT.OK,
      err: expect.stringContaining('Left out is what looks like a credential: the end of the output.'),
    });
    expect(ran.out).toContain('no token');
    const stored = await scenario(BOOK);
    expect(stored.attempts[0].evidence[0].run).not.toHaveProperty('output');
    expect(stored.attempts[0].evidence[0].summary).toContain(
      'Left out is what looks like a credential: the end of the output.',
    );
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

test('a mission whose every scenario is recorded is certified at this level', async () => {
  const mission = await recordedMission({ level: 'recorded' });
  const { verify, agents, board, ownerCommand, sessionId } = mission;
  const statuses = await withForge(mission);
  const isDone = async (): Promise<boolean> => (await board()).certification.checks[0].ok;
  for (let round = 0; round < 10 && !(await isDone()); round += 1)
    for (const by of ['agent_a', 'agent_b'] as const) {
      const items: readonly { tool: string; scenario_id: string; payload: Record<string, unknown> }[] = Object(
        await agents[by]('verify_next', {}),
      ).items;
      for (const { tool, scenario_id, payload } of items.filter((item) => item.scenario_id !== undefined)) {
        const run = ['--junit', 'report.xml', '--', process.execPath, 'suite.mjs', 'report.xml', '0', 'one=passed'];
        if (tool === 'verify_verify') await agents[by](tool, { ...payload, verdict: 'PASS', note: 'Ran it too.' });
        else if (tool === 'verify_start_attempt') await verify(by, '--scenario', scenario_id, ...run);
        else await verify(by, '--scenario', scenario_id, '--as', 'verifier', ...run);
      }
    }
  const { certification, scenarios } = await board();
  expect(certification).toMatchObject({ certified: true, level: 'recorded' });
  expect(scenarios.map(({ level }: { level: string }) => level)).toEqual(Array(7).fill('recorded'));
  const shown = await ownerCommand('board', sessionId);
  expect(shown.out).toContain('certified: every check passes; lowest evidence recorded');
  expect((await ownerCommand('brief', sessionId, '--stage', 'deployment')).out).toContain(
    'v-retries-book-once  recorded: a run that the agent sent',
  );
  const statement = await expectCertificate(mission, statuses, 'recorded');
  expect(statement?.predicate.scenarios.map(({ reports }) => [reports.agent_a.length, reports.agent_b.length])).toEqual(
    Array(7).fill([1, 1]),
  );
});
