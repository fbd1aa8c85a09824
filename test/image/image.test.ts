import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../scripts/servers/free-port.ts';
import { baseImage } from './base-image.ts';
import { type ContainerTool, findContainerTool, type Printed } from './container-tool.ts';
import { scanImage } from './layer-scan.ts';

const image = inject('image');
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const secondsSince = (begin: number): string => `${((performance.now() - begin) / 1000).toFixed(1)} s`;

describe.skipIf(image === null)('the image', () => {
  const tool = findContainerTool() as ContainerTool;
  const tag = image ?? '';
  const prefix = `parley-image-test-${process.pid}`;
  const names: string[] = [];
  const measured: Record<string, string> = {};
  let port: number;
  let first: string;
  let key: string;
  let session: Record<string, unknown>;

  /** Starts a container with a read-only root file system and without capabilities. Returns its name. */
  function run(name: string, ...settings: readonly string[]): string {
    const full = `${prefix}-${name}`;
    names.push(full);
    const hardening = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const address = ['--network', 'host', '--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1'];
    tool.must('run', '--detach', '--name', full, ...hardening, ...address, ...settings, tag);
    return full;
  }

  /** Starts a container with the volume. Resolves to its name when the container accepts requests. */
  async function start(name: string): Promise<string> {
    const begin = performance.now();
    const full = run(name, '--volume', `${prefix}:/data`);
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
      if (stateOf(full).Running !== true) throw new Error(`The container has ended: ${logsOf(full)}`);
      await delay(50);
    }
    measured[name] = secondsSince(begin);
    return full;
  }

  const inContainer = (name: string, ...command: string[]): Printed =>
    tool.run('exec', '--env', `PARLEY_URL=http://127.0.0.1:${port}`, name, ...command);
  const stateOf = (name: string) => JSON.parse(tool.must('inspect', name))[0].State;
  const logsOf = (name: string): string => {
    const { out, err } = tool.run('logs', name);
    return out + err;
  };
  const stop = (name: string): number => {
    tool.run('stop', '--time', '20', name);
    return stateOf(name).ExitCode;
  };
  const listSessions = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/owner/api/sessions`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return JSON.parse(await response.text()).sessions;
  };

  beforeAll(async () => {
    port = await freePort();
    tool.must('volume', 'create', prefix);
    first = await start('first-start');
  });

  afterAll(() => {
    for (const name of names) tool.run('rm', '--force', '--volumes', name);
    tool.run('volume', 'rm', prefix);
    console.log(JSON.stringify({ tool: tool.name, ...measured }, null, 2));
  });

  test('declares its user, command, port, volume and settings, and nothing else', () => {
    const [{ Config, Size }] = JSON.parse(tool.must('image', 'inspect', tag));
    expect(Config).toMatchObject({
      User: 'node',
      Entrypoint: ['parley'],
      Cmd: ['serve'],
      WorkingDir: '/app',
      ExposedPorts: { '4100/tcp': {} },
      Volumes: { '/data': {} },
    });
    const variables = Config.Env.map((line: string) => line.split('=')[0]).filter(
      (name: string) => name !== 'PATH' && !/^(?:NODE|YARN)_VERSION$/.test(name),
    );
    expect(variables.sort()).toEqual(['HOST', 'NODE_ENV', 'PARLEY_DATA', 'PORT']);
    const [{ Size: base }] = JSON.parse(tool.must('image', 'inspect', baseImage()));
    measured.size = `${megabytes(Size)}, ${megabytes(Size - base)} of it above ${baseImage()}`;
  });

  test('runs as the user node, who can write to the volume alone', () => {
    expect(inContainer(first, 'id', '-u').out.trim()).toBe('1000');
    for (const file of ['/app/x', '/usr/local/bin/x', '/home/node/x', '/etc/x'])
      expect(inContainer(first, 'touch', file).err).toMatch(/Read-only file system|Permission denied/);
    expect(inContainer(first, 'touch', '/data/x').code).toBe(0);
    expect(inContainer(first, 'rm', '/data/x').code).toBe(0);
  });

  test('shows the owner key on its first start, and keeps it in the volume', () => {
    key = inContainer(first, 'cat', '/data/owner-key').out.trim();
    expect(key).toMatch(/^pok_[\w-]{43}$/);
    expect(logsOf(first).split(key)).toHaveLength(2);
  });

  test('runs the demo mission to its end', async () => {
    const { code, out, err } = inContainer(first, 'parley', 'demo', '--fast');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('The session ended as the mission file describes.');
    const sessions = await listSessions();
    expect(sessions).toHaveLength(1);
    [session] = sessions;
    expect(session).toMatchObject({ title: 'Idempotent payment capture', phase: 'RELEASE' });
  });

  test('is healthy by its own check', async () => {
    // Without systemd, podman runs the health check only on this command.
    if (tool.name === 'podman') expect(tool.run('healthcheck', 'run', first)).toMatchObject({ code: 0 });
    else await expect.poll(() => stateOf(first).Health.Status).toBe('healthy');
  });

  test('is not healthy where it does not listen', () => {
    // podman stores the health check beside the configuration, docker inside the configuration.
    const [{ Config, Healthcheck = Config.Healthcheck }] = JSON.parse(tool.must('image', 'inspect', tag));
    const [kind, ...command] = Healthcheck.Test;
    expect(kind).toBe('CMD');
    expect(tool.run('exec', '--env', `PORT=${port}`, first, ...command).code).toBe(0);
    expect(tool.run('exec', '--env', 'PORT=1', first, ...command).code).toBe(1);
  });

  test('answers SIGTERM with an orderly end and status 0', () => {
    const begin = performance.now();
    expect(stop(first)).toBe(0);
    measured.stop = secondsSince(begin);
    expect(logsOf(first)).toMatch(/"signal":"SIGTERM","msg":"stopping.*\n.*"msg":"stopped"\}\n$/);
  });

  test('keeps sessions and owner key for the next container on the same volume', async () => {
    const second = await start('second-start');
    expect(await listSessions()).toEqual([session]);
    expect(inContainer(second, 'parley', 'verify-log', String(session.session_id)).code).toBe(0);
    expect(logsOf(second)).not.toContain(key);
    expect(stop(second)).toBe(0);
  });

  test('ends at SIGTERM too while it still starts, as process 1 of its container', async () => {
    const early = run('early');
    await expect.poll(() => logsOf(early)).toContain('creating the embedded database');
    expect(stop(early)).toBe(143);
  });

  test('has no secret and no private file in any layer', async () => {
    const { layers, findings } = await scanImage(tool, tag, baseImage());
    expect(layers).toBe(2);
    expect(findings).toEqual([]);
  });
});
