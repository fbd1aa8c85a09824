import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createMemoryStorage, createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';
import { loadMission, runMission } from '@parley/missions';
import { parse } from 'yaml';

const SIDES = ['agent_a', 'agent_b'] as const;
type Side = (typeof SIDES)[number];

const storage = createMemoryStorage();
const parley = await createParley({ storage });
const [rest, mcp] = [createHttpHost(parley), createMcpHost(parley)];
const server = await serve(
  (request, response) => mcp.handler(request, response, () => rest.handler(request, response)),
  { host: '127.0.0.1', port: 0, parley },
);

// The agents plan, the owner approves and authorizes the build.
const owner = parley.owner('checkout-team');
const tokens: Record<Side, string> = { agent_a: '', agent_b: '' };
const { sessionId, agents } = await runMission(
  { ...(await loadMission('payment-capture')), verification: [] },
  {
    owner,
    agents: async ({ code, role }) => {
      const { token } = await parley.redeem({ code });
      if (role === 'agent_a' || role === 'agent_b') tokens[role] = token;
      return parley.agent(token).call;
    },
  },
);

const work = await mkdtemp(join(tmpdir(), 'parley-contract-files-'));
const repository: Record<Side, string> = { agent_a: join(work, 'shop'), agent_b: join(work, 'ledger') };

/** Runs a command line as a shell does. Resolves with the exit code and the output. */
async function sh(line: string, cwd: string, environment: Record<string, string> = {}) {
  const child = spawn('sh', ['-ec', line], { cwd, env: { ...process.env, ...environment } });
  const [out, err, [code]] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
  return { code, out: `${out}${err}` };
}

const git = 'git -c user.name=Example -c user.email=example@example.com';
const pull = (side: Side) =>
  sh('parley contract pull --agents-md', repository[side], { PARLEY_URL: server.url, PARLEY_TOKEN: tokens[side] });

/** The steps of the CI file that run a command, in a checkout with the other repository in `peer`. Without the installation. */
async function ci(side: Side) {
  const checkout = await mkdtemp(join(work, 'checkout-'));
  const [own, other] = [repository[side], repository[side === 'agent_a' ? 'agent_b' : 'agent_a']];
  await sh(`git clone --quiet "${own}" . && git clone --quiet "${other}" peer`, checkout);
  const { jobs } = parse(await readFile(join(own, '.github/workflows/contract.yml'), 'utf8'));
  const steps: { readonly name?: string; readonly run?: string }[] = jobs.contract.steps;
  let output = '';
  for (const { name, run } of steps) {
    if (run === undefined || name === 'Install') continue;
    const { code, out } = await sh(run, checkout);
    output += out;
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

async function show(what: string, expected: number, says: RegExp, side: Side = 'agent_a'): Promise<void> {
  const { code, output } = await ci(side);
  console.log(`\n${what}\n${output.trimEnd()}`);
  assert.equal(code, expected);
  assert.match(output, says);
}

const commit = (side: Side, message: string) =>
  sh(`git add --all && ${git} commit --quiet --no-verify --message "${message}"`, repository[side]);

for (const side of SIDES) {
  await sh(`mkdir -p "${repository[side]}" && git init --quiet "${repository[side]}"`, work);
  await cp('workflow.yml', join(repository[side], '.github/workflows/contract.yml'));
  const { code, out } = await pull(side);
  assert.equal(code, 0, out);
  console.log(out.trimEnd());
  await commit(side, 'Pull the contract');
}
for (const side of SIDES) await show(`The CI of ${side}:`, 0, /the other side has the same revision/, side);

// A changed byte.
const file = join(repository.agent_a, '.parley/contract.json');
const text = await readFile(file, 'utf8');
await writeFile(file, text.replace('"minimum": 1', '"minimum": 0'));
await writeFile(join(repository.agent_a, '.git/hooks/pre-commit'), '#!/bin/sh\nexec parley contract check\n', {
  mode: 0o755,
});
const hooked = await sh(`git add --all && ${git} commit --quiet --message "Allow an amount of 0"`, repository.agent_a);
assert.notEqual(hooked.code, 0);
assert.match(hooked.out, /FAIL {2}\.parley\/contract\.json was changed after the pull/);
await commit('agent_a', 'Allow an amount of 0');
await show('After a changed byte:', 5, /was changed after the pull.*Run parley contract pull again\./);
await writeFile(file, text);
await commit('agent_a', 'Take it back');

// A new revision, which only one side has pulled.
const reviewed = async () => {
  const { revision_id, content_hash } = await owner.plan(sessionId);
  return { revision_id: revision_id ?? '', content_hash: content_hash ?? '' };
};
const seen = async () => (await owner.view(sessionId)).head.seq;
await owner.requestChanges(sessionId, { reason: 'A shorter title.', seen: await seen() });
await agents.agent_b('patch_contract', {
  expected_parent_id: (await reviewed()).revision_id,
  reason: 'A shorter title.',
  ops: [{ op: 'replace', path: '/title', value: 'One capture, one entry' }],
});
for (const side of SIDES) await agents[side]('submit_final_review', { ...(await reviewed()), verdict: 'APPROVE' });
await owner.approveContract(sessionId, { ...(await reviewed()), seen: await seen() });

const online = await sh('parley contract check --online', repository.agent_a, {
  PARLEY_URL: server.url,
  PARLEY_TOKEN: tokens.agent_a,
});
console.log(`\nA stale revision:\n${online.out.trimEnd()}`);
assert.equal(online.code, 5);
assert.match(online.out, /the service calls r_3 .* approved, .* has r_2 .* Run parley contract pull and commit it\./);
await pull('agent_a');
await commit('agent_a', 'Pull the new revision');
await show('While the other side has an older one:', 5, /Let the other side run parley contract pull and commit it\./);
await pull('agent_b');
await commit('agent_b', 'Pull the new revision');
for (const side of SIDES) await show(`The CI of ${side}:`, 0, /unchanged, r_3/, side);

await server.close();
await parley.close();
await storage.close();
await rm(work, { recursive: true, force: true });
console.log('\nBoth repositories have the approved contract.');
