import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CallTool, type Json, loadMission, PARTS, runMission } from '@parley/missions';
import { runCli } from '../../../src/cli/program.ts';
import type { OwnerAppOptions } from '../../../src/server/owner-app.ts';
import { UNLIMITED } from '../../../src/text/page.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';
import { KEY, runApp } from '../../running-app.ts';

export type Builder = 'agent_a' | 'agent_b';

/** A repository with one commit, and with `suite.mjs`, which writes a JUnit report. */
async function repository() {
  const folder = await newFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.test', ...args], {
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  await writeFile(join(folder, 'README.md'), folder);
  await writeFile(join(folder, 'suite.mjs'), SUITE);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'One');
  return { folder, git, commit: git('rev-parse', 'HEAD') };
}

/** `node suite.mjs FILE EXIT_CODE [NAME=RESULT…]` writes a report with these tests and ends with the exit code. */
const SUITE = `import { writeFileSync } from 'node:fs';
const [file, code, ...tests] = process.argv.slice(2);
const inside = { failed: '<failure/>', skipped: '<skipped/>', passed: '' };
const cases = tests.map((one) => one.split('=')).map(([name, result]) => \`<testcase classname="captures" name="\${name}">\${inside[result]}</testcase>\`);
writeFileSync(file, \`<testsuite name="captures">\${cases.join('')}</testsuite>\`);
console.log('ran', tests.length, 'tests');
process.exit(Number(code));
`;

interface Place {
  /** What the gate of the deployment demands. */
  readonly gateRun?: object;
  readonly app?: Partial<OwnerAppOptions>;
  readonly port?: number;
}

/**
 * The mission payment-capture with two declared repositories, up to the verification. The policy of evidence replaces that
 * of each test; the run is what the gates of the deployment demand.
 */
export async function recordedMission(evidence_policy: object, { gateRun, app = {}, port = 0 }: Place = {}) {
  const { url, parley, server } = await runApp(app, { port });
  const loaded = await loadMission('payment-capture');
  const mission: typeof loaded = JSON.parse(JSON.stringify(loaded), (_, value) => {
    if (value?.given && value.executor) return { ...value, evidence_policy };
    return gateRun && value?.stage === 'deployment' ? { ...value, run: gateRun } : value;
  });
  const cut = { ...mission, verification: [] };
  const tokens: Record<string, string> = {};
  const { sessionId, agents } = await runMission(
    { ...cut, ...Object.fromEntries(PARTS.map((part) => [part, cut[part]])) },
    {
      owner: parley.owner('owner'),
      agents: async ({ code, role }) => {
        const { token } = await parley.redeem({ code });
        tokens[role] = token;
        return parley.agent(token).call as CallTool;
      },
    },
  );
  const repositories = { agent_a: await repository(), agent_b: await repository() };
  const { fixture_version } = Object(await agents.agent_a('verify_board', { format: 'both' }));
  const declare = (by: Builder, commit = repositories[by].commit): Promise<Json> =>
    agents[by]('verify_handshake', {
      ...{ service: by, version: '1', environment: 'staging', ready: true, dependencies_healthy: true },
      ...{ commit, fixture_version },
    });
  await declare('agent_a');
  await declare('agent_b');
  return {
    ...{ url, parley, server, sessionId, agents, tokens, repositories, declare },
    owner: parley.owner('owner'),
    board: async () => Object(await agents.agent_a('verify_board', { format: 'both' })),
    scenario: async (scenario_id: string) => Object(await agents.agent_a('verify_board', { scenario_id })).scenarios[0],
    /** Runs `parley verify run` as an agent, in its repository. */
    verify: (by: Builder, ...args: readonly string[]) => {
      const folder = args.includes('--folder') ? [] : ['--folder', repositories[by].folder];
      return command({ PARLEY_URL: url, PARLEY_TOKEN: tokens[by] ?? '' }, ['verify', 'run', ...folder, ...args]);
    },
    /** Runs `parley verify attach` as an agent, in its repository. */
    attach: (by: Builder, ...args: readonly string[]) =>
      command({ PARLEY_URL: url, PARLEY_TOKEN: tokens[by] ?? '' }, [
        ...['verify', 'attach', '--folder', repositories[by].folder, ...args],
      ]),
    ownerCommand: (...args: readonly string[]) => command({ PARLEY_URL: url, PARLEY_OWNER_KEY: KEY }, args),
  };
}

async function command(environment: Record<string, string>, args: readonly string[]) {
  const terminal = fakeTerminal(environment, UNLIMITED);
  const code = await runCli(args, terminal);
  return { code, out: terminal.output(), err: terminal.errors() };
}
