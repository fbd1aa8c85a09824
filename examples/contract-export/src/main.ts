import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryStorage, createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { loadMission, runMission } from '@parley/missions';

const storage = createMemoryStorage();
const parley = await createParley({ storage });
const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
const server = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);

// The agents plan, and the owner approves. The shop, agent_a, will call the ledger, agent_b, which is not built yet.
let token = '';
await runMission(
  { ...(await loadMission('payment-capture')), readiness: [], verification: [] },
  {
    owner: parley.owner('checkout-team'),
    agents: async ({ code, role }) => {
      const redeemed = await parley.redeem({ code });
      if (role === 'agent_a') token = redeemed.token;
      return parley.agent(redeemed.token).call;
    },
  },
);

/** Runs a command line as a shell does. Fails if the command fails. */
async function sh(line: string, cwd: string, environment: Record<string, string> = {}): Promise<string> {
  const child = spawn('sh', ['-ec', line], { cwd, env: { ...process.env, ...environment } });
  const [out, err, [code]] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, `${line}\n${out}${err}`);
  return `${out}`;
}

const shop = await mkdtemp(join(tmpdir(), 'parley-contract-export-'));
await sh('parley contract pull', shop, { PARLEY_URL: server.url, PARLEY_TOKEN: token });
console.log(await sh('parley contract export --to generated', shop));

// Both tools together have 100 MB, so they are installed here and not with the workspace.
const TOOLS = resolve('node_modules/.tools');
if (!existsSync(join(TOOLS, 'node_modules/.bin/prism'))) {
  await mkdir(TOOLS, { recursive: true });
  await writeFile(join(TOOLS, 'package.json'), '{ "private": true }');
  await sh(
    'npm install --ignore-scripts --no-audit --no-fund --save-exact @stoplight/prism-cli@5.16.0 json-schema-to-typescript@16.0.0',
    TOOLS,
  );
}
const bin = (name: string): string => `"${join(TOOLS, 'node_modules/.bin', name)}"`;

await sh(`${bin('json2ts')} -i dm-entry-request.json -o entry-request.ts`, join(shop, 'generated/schemas'));
const types = await readFile(join(shop, 'generated/schemas/entry-request.ts'), 'utf8');
console.log(types);
assert.match(types, /export interface EntryToBook \{/);
assert.match(types, /^ {2}amount_minor: number;$/m);
assert.match(types, /^ {2}attempt\?: number;$/m);

/** A port of this machine that nothing listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

const ledger = `http://127.0.0.1:${await freePort()}`;
const mock = spawn(
  join(TOOLS, 'node_modules/.bin/prism'),
  ['mock', '--host', '127.0.0.1', '--port', new URL(ledger).port, join(shop, 'generated/openapi.agent_b.json')],
  { stdio: 'ignore' },
);

/** The client of the shop. Tries until the mock server listens. */
async function book(entry: object): Promise<{ readonly status: number; readonly body: unknown }> {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await fetch(`${ledger}/v1/entries`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': '01930a6e-5b1c-7000-8000-000000000000' },
        body: JSON.stringify(entry),
      });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(200);
    }
  }
}

try {
  const entry = {
    order_id: '01930a6e-5b1c-7000-8000-000000000001',
    external_reference: 'order 1',
    amount_minor: 4990,
    currency: 'EUR',
  };
  const booked = await book(entry);
  console.log('The agreed request:', booked.status, booked.body);
  assert.ok(booked.status === 200 || booked.status === 201);
  for (const member of ['entry_id', 'order_id', 'amount_minor', 'currency', 'booked_at'])
    assert.ok(member in Object(booked.body), member);

  const { amount_minor: _, ...incomplete } = entry;
  const refused = await book(incomplete);
  console.log('Without amount_minor:', refused.status);
  assert.equal(refused.status, 422);
} finally {
  mock.kill();
}

await server.close();
await parley.close();
await storage.close();
await rm(shop, { recursive: true, force: true });
console.log('The shop has the types, and a server to call before the ledger is built.');
