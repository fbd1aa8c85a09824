import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Child, MAIN, startCli } from '../../packages/owner-app/test/child.ts';
import type { ModelServer } from './model-server.ts';

/** Paths of the real clients, which are installed from the npm registry. */
export const { PARLEY_CLAUDE, PARLEY_CODEX } = process.env;
const CLIENTS = { agent_a: 'claude-code', agent_b: 'codex' } as const;
export type Driven = keyof typeof CLIENTS;

interface Place {
  readonly folder: string;
  readonly url: string;
  readonly token: string;
}

/** A machine with both clients on its PATH. Their models are scripted. */
export async function clientMachine(model: ModelServer) {
  const home = await mkdtemp(join(tmpdir(), 'parley-clients-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const bin = join(home, 'bin');
  for (const folder of [bin, join(home, '.codex'), join(home, 'agent_a'), join(home, 'agent_b')])
    await mkdir(folder, { recursive: true });
  await symlink(PARLEY_CLAUDE ?? '', join(bin, 'claude'));
  await symlink(PARLEY_CODEX ?? '', join(bin, 'codex'));
  await writeFile(join(bin, 'parley'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  await chmod(join(bin, 'parley'), 0o755);
  // Codex runs commands in a login shell, which sets the PATH again.
  await writeFile(join(home, '.profile'), `PATH='${bin}':"$PATH"\n`);
  const provider = `name = "scripted"\nbase_url = "${model.url}/agent_b/v1"\nwire_api = "responses"`;
  const config = `model = "scripted"\nmodel_provider = "scripted"\n[model_providers.scripted]\n${provider}\n`;
  await writeFile(join(home, '.codex/config.toml'), config);
  const environment = {
    HOME: home,
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    ANTHROPIC_BASE_URL: `${model.url}/agent_a`,
    ANTHROPIC_API_KEY: 'sk-ant-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    // The scripted model calls tools without searching for them first.
    ENABLE_TOOL_SEARCH: 'false',
  };
  const run = (url: string, role: Driven, ...code: readonly string[]): Child => {
    const flags = ['--for', CLIENTS[role], '--folder', join(home, role), '--url', url, '--pause', '1'];
    return startCli(['run', ...code, ...flags], environment);
  };
  const runs = join(home, '.config/parley/runs');
  const fileOf = async (role: Driven, name: string): Promise<Record<string, unknown> | undefined> => {
    for (const run of await readdir(runs).catch(() => [])) {
      const content = JSON.parse(await readFile(join(runs, run, name), 'utf8').catch(() => '{}'));
      if (content.role === role) return content;
    }
    return undefined;
  };
  /** Connects Claude Code with hooks in the folder of agent_b, and starts it without a terminal. */
  const startHooked = async (url: string, code: string) => {
    const folder = join(home, 'agent_b');
    const connect = ['connect', code, '--for', 'claude-code', '--write', '--hooks', '--folder', folder, '--url', url];
    const connected = startCli([...connect, '--json'], environment);
    if ((await connected.ended) !== 0) throw new Error(connected.err());
    const { token_file: file } = JSON.parse(connected.out());
    const [, token = ''] = /PARLEY_TOKEN=(.+)/.exec(await readFile(file, 'utf8')) ?? [];
    return start(PARLEY_CLAUDE ?? '', ['-p', 'Begin.', '--mcp-config', '.mcp.json', '--allowedTools', 'mcp__parley'], {
      folder,
      url,
      token,
    });
  };
  /** Starts a client once, as a person would. The client ends with the test. */
  const start = (program: string, args: readonly string[], { folder, url, token }: Place): ChildProcess => {
    const child = spawn(program, [...args], {
      cwd: folder,
      env: { ...environment, PARLEY_TOKEN: token, PARLEY_URL: url },
      stdio: 'ignore',
      // The program of a client may be a wrapper that does not end its child. Killing the process group ends both.
      detached: true,
    });
    const ended = once(child, 'exit');
    onTestFinished(async () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
      await ended;
    });
    return child;
  };
  return { home, run, start, startHooked, fileOf };
}

export async function callDirectly(url: string, token: string, name: string, input: object) {
  const response = await fetch(`${url}/api/public/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const { result } = JSON.parse(await response.text());
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.structuredContent)}`);
  return result.structuredContent;
}
