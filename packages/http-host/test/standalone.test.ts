import pg from 'pg';
import { afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { ask } from '../../../test/support/exchange.ts';
import { createHttpHost } from '../src/index.ts';
import { runStandalone } from '../src/standalone.ts';

const PROGRAM = {
  name: 'parley-http',
  defaultPort: 4100,
  paths: { rest: '/api/public/agent' },
  createHost: (...[parley, , wire]: Parameters<Parameters<typeof runStandalone>[0]['createHost']>) =>
    createHttpHost(parley, wire),
};

function capture() {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      printed[name] += String(chunk);
      return true;
    });
  }
  return printed;
}

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

describe('a start with a wrong setting', () => {
  it('prints the reason in one line and fails', async () => {
    const printed = capture();
    await runStandalone(PROGRAM, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', PORT: 'http' });
    expect(printed.stderr).toBe('parley-http: PORT is "http"; expected a whole number from 0 to 65535\n');
    expect(process.exitCode).toBe(1);
  });

  it('names a database that does not answer, without its password', async () => {
    const printed = capture();
    await runStandalone(PROGRAM, { DATABASE_URL: 'postgres://nobody:hunter2@127.0.0.1:1/x', PORT: '0' });
    expect(printed.stderr).toMatch(/^parley-http: .+\n$/);
    expect(printed.stderr).not.toContain('hunter2');
    expect(process.exitCode).toBe(1);
  });
});

const databaseUrl = inject('databaseUrl');

describe.runIf(databaseUrl !== null)('a start on PostgreSQL', () => {
  it('serves until SIGTERM, and a second server cannot use its port', async () => {
    const printed = capture();
    const database = await createDatabase(databaseUrl ?? '');
    const running = runStandalone(PROGRAM, { DATABASE_URL: database, PORT: '0' });
    await expect.poll(() => printed.stdout).toMatch(/^parley-http listening on http:\/\/127\.0\.0\.1:\d+$/m);
    const url = /http:\S+/.exec(printed.stdout)?.[0] ?? '';
    expect((await ask(url, '/api/public/agent/health')).json.ok).toBe(true);
    expect((await ask(url, '/.well-known/oauth-protected-resource')).json.error).toBe('NOT_FOUND');
    const root = await ask(url, '/');
    expect(root.status).toBe(404);
    expect(root.json.hint).toContain(
      'POST /api/public/agent/invitations/redeem with the body {"code":"pinv_..."}. Then send the header "Authorization: Bearer prt_..." with each call: over MCP by POST to the address that ends in /api/public/mcp,',
    );
    await runStandalone(PROGRAM, { DATABASE_URL: database, PORT: new URL(url).port });
    expect(printed.stderr).toMatch(/^parley-http: listen EADDRINUSE: .+\n$/);
    process.exitCode = undefined;
    process.emit('SIGTERM');
    await running;
    await expect(ask(url, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(process.exitCode).toBeUndefined();
  });
});

describe.runIf(databaseUrl !== null)('a start that fails after the database is open', () => {
  it('prints the reason without secrets', async () => {
    const printed = capture();
    const createHost = () => {
      throw new Error('No host for prt_8fK2mQ0zR4tYw6Lp1XcV9b on postgres://parley:hunter2@db.example/parley.');
    };
    await runStandalone(
      { ...PROGRAM, createHost },
      { DATABASE_URL: await createDatabase(databaseUrl ?? ''), PORT: '0' },
    );
    expect(printed.stderr).toBe('parley-http: No host for [redacted] on postgres://[redacted]db.example/parley.\n');
    expect(process.exitCode).toBe(1);
  });
});

async function createDatabase(server: string): Promise<string> {
  const name = `alone_${process.pid}_${Date.now()}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`);
    await client.end();
  });
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
