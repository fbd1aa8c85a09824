import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { freePort } from '../../scripts/servers/free-port.ts';
import { manifestOf } from './manifests.ts';
import { newcomer } from './newcomer.ts';

const { name, version } = manifestOf('packages/cli');
const NPX = ['-y', name];

/** The official MCP Inspector, in its version for this Node: the package, and the program of its command line. */
const [INSPECTOR, PROGRAM] = isAtLeast(22, 19)
  ? ['@modelcontextprotocol/inspector@2.12.0', 'mcp-inspector']
  : ['@modelcontextprotocol/inspector-cli@1.0.3', 'mcp-inspector-cli'];

function isAtLeast(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Makes a folder a repository that wants to run programs of its own. Each leaves the file `ran` beside `package.json`. */
function plantPrograms(folder: string): void {
  const program = `#!/bin/sh\n: > '${folder}/ran'\n`;
  const planted = join(folder, 'node_modules', name);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "@test/hostile", "version": "1.0.0" }');
  writeFileSync(join(planted, 'package.json'), JSON.stringify({ name, version, bin: { parley: 'parley' } }));
  writeFileSync(join(planted, 'parley'), program, { mode: 0o755 });
  for (const command of ['node', 'sh', 'parley'])
    writeFileSync(join(folder, 'node_modules/.bin', command), program, { mode: 0o755 });
  writeFileSync(join(folder, '.npmrc'), `${name.split('/')[0]}:registry=http://127.0.0.1:9/\n`);
}

const hasRunPlanted = (folder: string): boolean => readdirSync(folder).includes('ran');

/** Somebody with an agent, who gets what `invite` printed: runs the line for a client, and pastes the text. */
async function agentOf(invitation: string, inspector: string) {
  const { folder, home, run } = newcomer();
  // Version 1 of the Inspector looks for its manifest in the folder above, and else where it is not.
  writeFileSync(join(dirname(folder), 'package.json'), '{ "name": "@test/above", "version": "1.0.0" }');
  plantPrograms(folder);
  const [, install = ''] = /^ *(npm install --global .+)$/m.exec(invitation) ?? [];
  const prefix = join(home, 'installed');
  await run('npm', install.split(' ').slice(1), { npm_config_prefix: prefix });
  const PATH = [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const [, line = ''] = /^ *claude mcp add parley -- (.+)$/m.exec(invitation) ?? [];
  const { code, url } = JSON.parse(/\{"code":"pinv_\w+","url":"[^"]+"\}/.exec(invitation)?.[0] ?? '{}');
  // A client gives the servers that it starts only a few variables.
  const environment = ['-e', `npm_config_registry=${inject('registry')}`];
  const inspect = async (...args: readonly string[]) => {
    const out = await run(inspector, ['--cli', ...environment, ...line.split(' '), ...args], { PATH });
    return JSON.parse(out.slice(out.search(/^\{/m)));
  };
  return {
    folder,
    install,
    line,
    listTools: async (): Promise<string[]> =>
      (await inspect('--method', 'tools/list')).tools.map((tool: { readonly name: string }) => tool.name),
    call: (tool: string) => inspect('--method', 'tools/call', '--tool-name', tool),
    join: () => inspect('--method', 'tools/call', '--tool-name', 'join', '--tool-arg', `code=${code}`, `url=${url}`),
  };
}

test('two agents in hostile repositories join with one line and one text each, driven by the MCP Inspector', async () => {
  const tools = newcomer();
  await tools.run('npm', ['install', '--no-audit', '--no-fund', '--loglevel', 'error', INSPECTOR ?? '']);
  const inspector = join(tools.folder, 'node_modules/.bin', PROGRAM ?? '');
  const owner = newcomer();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const serving = owner.start('npx', [...NPX, 'serve'], { PORT: port });
  await serving.printed(`parley listening on ${url}`);
  const parley = (...args: readonly string[]) => owner.run('npx', [...NPX, ...args], { PARLEY_URL: url });
  const created = await parley(
    ...['create', '--title', 'Refunds', '--objective', 'Refund once.', '--requirement', 'req-1: Once.'],
  );
  const [sessionId = ''] = /\b[\w-]{22}\b/.exec(created) ?? [];
  const [a, b] = [
    await agentOf(await parley('invite', sessionId, '--role', 'agent_a'), inspector),
    await agentOf(await parley('invite', sessionId, '--role', 'agent_b'), inspector),
  ];
  expect([a.install, a.line]).toEqual([`npm install --global ${name}@${version}`, `parley mcp --url ${url}`]);
  await parley('start', sessionId);

  expect(await a.listTools()).toEqual(['join']);
  for (const [agent, role] of [
    [a, 'agent_a'],
    [b, 'agent_b'],
  ] as const)
    expect(await agent.join()).toMatchObject({ structuredContent: { role, session_id: sessionId } });
  expect(await a.listTools()).toHaveLength(48);
  expect(await b.call('read_session_state')).toMatchObject({ structuredContent: { your_turn: false } });
  expect(await a.call('read_task')).toMatchObject({ structuredContent: { title: 'Refunds', your_role: 'agent_a' } });
  expect([a, b].map(({ folder }) => hasRunPlanted(folder))).toEqual([false, false]);
  process.kill(-(serving.child.pid ?? 0), 'SIGTERM');
  await serving.ended;
});

test.each([[[]], [['--prefix', '/']]])(
  'npx %j runs a program of a hostile repository, so no line names it',
  async (flags) => {
    const { folder, start } = newcomer();
    plantPrograms(folder);
    await start('npx', [...flags, '-y', `${name}@${version}`, 'mcp']).ended;
    expect(hasRunPlanted(folder)).toBe(true);
  },
);
