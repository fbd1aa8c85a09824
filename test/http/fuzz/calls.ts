import { Agent } from 'node:http';
import fc from 'fast-check';
import type { Heard } from '../../support/exchange.ts';
import { type FuzzCall, fuzzCall } from './inputs/request.ts';
import { judge } from './support/answer-checks.ts';
import { type Sent, send, toWire } from './support/send.ts';
import type { Tally } from './support/tally.ts';
import type { World } from './support/world.ts';

const CALLS_PER_SESSION = 150;
/** After these calls the session refuses almost every call. */
const ENDINGS = new Set(['end', 'revoke']);

/** `requests` calls are generated from `seed`. */
export interface Run {
  readonly requests: number;
  readonly seed: number;
}

/**
 * Sends generated calls one after another. If a call violates a guarantee, rejects with the smallest such call and its
 * seed.
 */
export async function fuzzCalls(world: World, tally: Tally, { requests, seed }: Run): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let calls = 0;
  const property = fc.asyncProperty(fuzzCall, async (call) => {
    calls += 1;
    if (calls % CALLS_PER_SESSION === 0) await world.turnOver();
    await checkCall(world, agent, { call, tally });
  });
  try {
    await fc.assert(property, { numRuns: requests, seed });
  } finally {
    agent.destroy();
  }
}

interface Checked {
  readonly call: FuzzCall;
  readonly tally: Tally;
}

async function checkCall(world: World, agent: Agent, { call, tally }: Checked): Promise<void> {
  const { service } = world;
  const sent = toWire(call, world);
  const before = await headOf(world);
  const start = performance.now();
  const heard = await send(service.url, agent, sent);
  try {
    const { isRefused, code } = judge(call, heard);
    if (!isRefused) learn(world, heard.text);
    tally.count(`${heard.status} ${code}`, performance.now() - start);
    if (service.failures.length > 0) throw new Error(`failed inside: ${service.failures.splice(0).map(String)}`);
    const mustStand = isRefused || (call.operation?.isRead ?? false);
    if (mustStand && before !== (await headOf(world))) throw new Error('stored something all the same');
    if (!isRefused && ENDINGS.has(call.operation?.name ?? '')) await world.turnOver();
  } catch (error) {
    throw new Error(report(sent, heard), { cause: error });
  }
}

/** Records the revision and hash that an answer names, because later calls must name exactly these. */
function learn(world: World, text: string): void {
  const found = /"revision_id":"(r_\d+)"(?:,"\w+":(?:"[^"]*"|null|\d+)){0,2},"content_hash":"([0-9a-f]{64})"/.exec(
    text.replaceAll('\\"', '"'),
  );
  const [, revision, hash] = found ?? [];
  if (revision !== undefined && hash !== undefined) world.learn({ revision, hash });
}

async function headOf({ present, service }: World): Promise<string> {
  const news = await service.storage.fetch(present.sessionId, 1_000_000);
  return `${news?.head.seq} ${news?.head.hash}`;
}

const report = ({ method, path, headers, body }: Sent, { status, text }: Heard): string =>
  [
    `${method} ${path} ${JSON.stringify(headers)}`,
    `sent: ${JSON.stringify(body?.slice(0, 2_000))}`,
    `heard: ${status} ${text.slice(0, 2_000)}`,
  ].join('\n');
