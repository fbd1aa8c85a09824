import { spawn } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../new-folder.ts';
import { BOOK, ciMission, junit } from './ci-mission.ts';

const CI = resolve(import.meta.dirname, '../../../../ci');

/** Runs a program with nothing but these variables and PATH. */
async function run(command: string, args: readonly string[], cwd: string, variables: Record<string, string>) {
  const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH, ...variables } });
  const code = new Promise<number>((done) => child.on('close', done));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await code, out, err };
}

/** A job of GitHub in a repository whose tests write this report and end with this code. */
async function gitHubJob({ body = junit('books once=passed'), code = 0 } = {}) {
  const mission = await ciMission();
  const { issuer, claimsOf, address } = mission;
  const folder = await newFolder();
  await writeFile(join(folder, 'suite.sh'), `echo '${body}' > report.xml\nenv > seen\nexit ${code}\n`);
  issuer.runJob(claimsOf('agent_a'));
  const variables = {
    PARLEY_ADDRESS: address,
    PARLEY_SCENARIOS: BOOK,
    PARLEY_RUN: 'sh suite.sh',
    PARLEY_WAIT_SECONDS: '0',
    ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.issuer}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'the job',
  };
  const report = (changes: Record<string, string> = {}) =>
    run(process.execPath, [join(CI, 'report.mjs')], folder, { ...variables, ...changes });
  return { ...mission, folder, report };
}

test('the action hands its inputs to the script by the environment alone', async () => {
  const { inputs, runs } = parse(await readFile(join(CI, 'action.yml'), 'utf8'));
  const [{ run: command, env }, ...others] = runs.steps;
  expect({ command, others }).toEqual({ command: 'node "$GITHUB_ACTION_PATH/report.mjs"', others: [] });
  expect(Object.values(env)).toEqual(Object.keys(inputs).map((name) => `\${{ inputs.${name} }}`));
});

test('the script of the action runs the tests without the token of the job, and sends their report', async () => {
  const { report, folder, scenario, agents, ownerCommand, sessionId } = await gitHubJob();
  await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
  expect(await report()).toEqual({
    code: 0,
    out: `${BOOK}: evidence of attempt 1\n  agent_b: 1 more item of level ci\n`,
    err: '',
  });
  expect((await scenario(BOOK)).attempts[0].evidence).toMatchObject([{ by: 'agent_a', level: 'ci', failed: false }]);
  expect(await readFile(join(folder, 'seen'), 'utf8')).not.toMatch(/TOKEN/);
  const { out } = await ownerCommand('board', sessionId);
  expect(out).toMatch(/acme\/shop +\.github\/workflows\/parley\.yml +refs\/heads\/main/);
});

test('the script sends the report of tests that failed too, and fails with their exit code', async () => {
  const { report, agents, scenario } = await gitHubJob({ body: junit('books once=failed'), code: 3 });
  await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
  expect(await report()).toMatchObject({ code: 3 });
  expect((await scenario(BOOK)).attempts[0].evidence).toMatchObject([{ failed: true, level: 'ci' }]);
});

test('the script sends nothing that the tests have not written, and says what the service refuses', async () => {
  const { report, events, folder } = await gitHubJob();
  const before = await events();
  await writeFile(join(folder, 'report.xml'), junit('a=passed'));
  const wrong: readonly (readonly [Record<string, string>, string])[] = [
    [{ PARLEY_RUN: 'true' }, 'parley: the command has not written report.xml; nothing was sent.'],
    [{ PARLEY_ADDRESS: '' }, 'parley: PARLEY_ADDRESS (the input address) is missing.'],
    [{ PARLEY_SCENARIOS: 'none' }, 'parley: The approved contract has no test "none".'],
    [{ ACTIONS_ID_TOKEN_REQUEST_URL: '' }, 'on GitHub it needs the permission id-token: write.'],
    [{ ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'x' }, 'parley: the request for an OIDC token was answered 404.'],
    [{ PARLEY_ADDRESS: 'http://127.0.0.1:1/x' }, 'parley: TypeError: fetch failed'],
  ];
  for (const [changes, said] of wrong)
    expect.soft(await report(changes), said).toMatchObject({ code: 1, err: expect.stringContaining(said) });
  expect(await events()).toBe(before);
});

test('the script waits for the commit to be declared', async () => {
  const { report, declare, repositories, scenario, agents, issuer } = await gitHubJob();
  await declare('agent_a', 'e'.repeat(40));
  const reporting = report({ PARLEY_WAIT_SECONDS: '20' });
  // The second token is for the second try.
  await expect.poll(() => issuer.seen.filter((path) => path.startsWith('/token')).length).toBeGreaterThan(1);
  await declare('agent_a', repositories.agent_a.commit);
  expect(await reporting).toMatchObject({ code: 0, out: `${BOOK}: waits for the next attempt\n` });
  await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
  expect((await scenario(BOOK)).attempts[0].evidence).toMatchObject([{ by: 'agent_a', level: 'ci' }]);
});

test('the script of the GitLab snippet sends the report with curl, and ends with the exit code of the tests', async () => {
  const { issuer, owner, sessionId, address, repositories, scenario, agents } = await ciMission();
  const { parley: job } = parse(await readFile(join(CI, 'gitlab.yml'), 'utf8'));
  expect(job.id_tokens).toEqual({ PARLEY_ID_TOKEN: { aud: '$PARLEY_ADDRESS' } });
  await owner.unbindWorkflow(sessionId, { role: 'agent_a' });
  const place = { repository: 'acme/app', workflow: '.gitlab-ci.yml', ref: 'refs/heads/main' };
  await owner.bindWorkflow(sessionId, { ...place, role: 'agent_b', forge: 'gitlab', issuer: issuer.issuer });
  const folder = await newFolder();
  await writeFile(join(folder, 'npx'), `#!/bin/sh\necho '${junit('keeps the key=passed')}' > report.xml\nexit 4\n`);
  await chmod(join(folder, 'npx'), 0o700);
  await agents.agent_a('verify_start_attempt', { scenario_id: BOOK });
  const token = await issuer.sign({
    ...{ aud: address, project_path: 'acme/app', sha: repositories.agent_b.commit, ref: 'main', ref_type: 'branch' },
    ci_config_ref_uri: `${issuer.issuer.slice('http://'.length)}/acme/app//.gitlab-ci.yml@refs/heads/main`,
    ...{ pipeline_source: 'push', pipeline_id: '1', job_id: '2' },
  });
  const ran = await run('bash', ['-e', '-c', job.script.join('\n')], folder, {
    PATH: `${folder}:${process.env.PATH}`,
    PARLEY_ADDRESS: address,
    PARLEY_SCENARIO: BOOK,
    PARLEY_ID_TOKEN: token,
  });
  expect(ran).toMatchObject({ code: 4, out: expect.stringContaining('"level":"ci"') });
  expect((await scenario(BOOK)).attempts[0].evidence).toMatchObject([{ by: 'agent_b', level: 'ci', failed: true }]);
});
