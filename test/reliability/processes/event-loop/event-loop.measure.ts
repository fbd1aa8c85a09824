import { seenIn } from '@parley/core/testing';
import type { Json } from '@parley/missions';
import { beforeAll, expect, test } from 'vitest';
import type { Block } from '../host/host-options.ts';
import { watchBlocks } from '../host/watch-blocks.ts';
import { ask } from '../support/ask.ts';
import { contractOf, hashOf, MAPPINGS, seatWithContract } from '../support/contracts.ts';
import type { HostProcess } from '../support/host-process.ts';
import { openScene, type Scene, type Seats } from '../support/scene.ts';
import { LONG } from './long-contracts.ts';

const LIMIT_MS = 50;
const ROUNDS = 3;
/**
 * The contracts to measure: those whose names contain the value of the environment variable CONTRACT, by default all.
 */
const CHOSEN = LONG.filter(([name]) => name.includes(process.env.CONTRACT ?? ''));

/**
 * Measured times of one call for one contract. `tookMs` is the longest duration of all rounds. Each round measures the
 * longest block of the event loop; `leastMs` and `mostMs` are the shortest and the longest of these blocks.
 */
interface Row {
  readonly status: string;
  readonly tookMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
}

const rows = new Map<string, Row>();
let scene: Scene;
let host: HostProcess;
let ownBlock: () => Block;

beforeAll(async () => {
  scene = await openScene();
  host = await scene.start();
  ownBlock = watchBlocks();
  return scene.close;
});

/**
 * Measures the longest block of the event loop during a call, in processor time, which other processes do not affect.
 */
async function measure(name: string, work: () => Promise<string>, block: () => Block | Promise<Block>): Promise<void> {
  await block();
  const start = performance.now();
  const status = await work();
  const tookMs = performance.now() - start;
  const { busyMs } = await block();
  const before = rows.get(name) ?? { tookMs: 0, leastMs: Number.POSITIVE_INFINITY, mostMs: 0 };
  rows.set(name, {
    status,
    tookMs: Math.max(tookMs, before.tookMs),
    leastMs: Math.min(busyMs, before.leastMs),
    mostMs: Math.max(busyMs, before.mostMs),
  });
}

interface Turn {
  readonly name: string;
  readonly seats: Seats;
  readonly contract: Json;
  readonly parent: string;
}

/** Makes every call that an agent can make about the next revision. */
async function callAll({ name, seats, contract, parent }: Turn): Promise<string> {
  const seat = seats.agent_a;
  const next = `r_${Number(parent.slice(2)) + 1}`;
  const call = (route: string, body?: Json): Promise<void> =>
    measure(
      `${name}: ${route.replace(/\?.*/, '')}`,
      async () => String((await ask({ host, seat, route, ...(body && { body }) })).status),
      host.longestBlock,
    );
  await call('POST contract/validate', { contract });
  await call('POST contract', { contract, expected_parent_id: parent, reason: 'So.' });
  await call('GET plan');
  await call(`GET contract/diff?revision_id=${next}`);
  await call('POST contract/revalidate', {});
  await call('GET contract-blockers');
  await call('POST preflight', { mappings: MAPPINGS });
  const ops = Object.entries(contract).map(([member, value]) => ({ op: 'replace', path: `/${member}`, value }));
  await call('POST contract/patch', { expected_parent_id: next, reason: 'Each member anew.', ops });
  const small = [{ op: 'replace', path: '/title', value: `Levels ${next}` }];
  const patched = `r_${Number(next.slice(2)) + 1}`;
  await call('POST contract/patch ', { expected_parent_id: patched, reason: 'Another title.', ops: small });
  return `r_${Number(patched.slice(2)) + 1}`;
}

/** If the contract has no errors, both builders approve the revision, then the owner. */
async function approveAll(name: string, seats: Seats, revision_id: string, content_hash: string): Promise<void> {
  const { sessionId } = seats.agent_a;
  const exactly = { revision_id, content_hash };
  for (const seat of [seats.agent_a, seats.agent_b])
    await ask({ host, seat, route: 'POST final-review', body: { ...exactly, verdict: 'APPROVE' } });
  const seen = await seenIn(scene.owner, sessionId);
  const approve = () =>
    scene.owner.approveContract(sessionId, { ...exactly, seen }).then(
      () => 'approved',
      ({ code }) => String(code),
    );
  await measure(`${name}: approveContract`, approve, ownBlock);
  if (rows.get(`${name}: approveContract`)?.status !== 'approved') return;
  const routes = ['contract.md', 'handoff-agent-a.md', 'shared-contract.json'].map((file) => `fetch?filename=${file}`);
  for (const route of ['readiness', 'artifacts', ...routes.map((route) => `artifacts/${route}`)])
    await measure(
      `${name}: GET ${route}`,
      async () => String((await ask({ host, seat: seats.agent_a, route: `GET ${route}` })).status),
      host.longestBlock,
    );
  await scene.owner.requestChanges(sessionId, { reason: 'Once more.', seen: await seenIn(scene.owner, sessionId) });
}

test.each(CHOSEN)('%s', async (name, make) => {
  const seats = await seatWithContract(scene, host, contractOf('Levels'));
  let latest = 'r_1';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const contract = make(round);
    latest = await callAll({ name, seats, contract, parent: latest });
    const title = `Levels r_${Number(latest.slice(2)) - 2}`;
    await approveAll(name, seats, latest, hashOf({ ...contract, title }));
  }
  expect(JSON.stringify(make(1)).length).toBeLessThan(200_000);
  const own = Array.from(rows).filter(([row]) => row.startsWith(`${name}: `));
  for (const [row, figures] of own) console.log(lineOf(row, figures));
});

function lineOf(row: string, { status, tookMs, leastMs, mostMs }: Row): string {
  const mark = leastMs > LIMIT_MS ? ' <<<' : '';
  const figures = [leastMs, mostMs, tookMs].map((ms) => `${ms.toFixed(0).padStart(6)} ms`);
  return `${row.padEnd(75)} ${status.padEnd(14)} blocked ${figures[0]} to ${figures[1]}, answered in ${figures[2]}${mark}`;
}
