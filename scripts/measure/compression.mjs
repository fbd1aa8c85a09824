// `pnpm measure:compression` measures the processor time of compressed answers: first of gzip at each level, then of
// whole requests to a server, alternately with and without `Accept-Encoding: gzip`.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import process from 'node:process';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createMemoryStorage, createParley } from '@parley/core';
import { createHttpHost, serve } from '@parley/http-host';

const ROUNDS = 9;
const pack = promisify(gzip);
const TASK = { title: 'Refunds', objective: 'A buyer gets the money back within a day.' };
/** Prose that people wrote, because generated text would compress far better than the texts of agents. */
const PROSE = [
  'choices',
  'operations',
  'agent-guide',
  'owner-guide',
  'connect',
  'cli',
  'deploy',
  'observability',
  'embedding',
  'reliability',
]
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'))
  .join('\n');
const TEXT_CHARS = 1_900;
/**
 * Number of requirements in each of three sessions. With more requirements, the answer that contains the task is
 * longer.
 */
const SIZES = { small: 1, medium: 10, large: 195 };

const limits = { perToken: Number.MAX_SAFE_INTEGER };
const parley = await createParley({ storage: createMemoryStorage(), limits });
const owner = parley.owner('owner');
const server = await serve(createHttpHost(parley).handler, { host: '127.0.0.1', port: 0, parley });

/** Creates a session whose task has this many requirements. */
async function sessionWith(count) {
  const requirements = Array.from({ length: count }, (_, n) => ({
    requirement_id: `req-${n + 1}`,
    text: PROSE.slice(n * TEXT_CHARS, (n + 1) * TEXT_CHARS),
  }));
  const { session_id } = await owner.createSession({ ...TASK, requirements });
  const { code } = await owner.invite(session_id, { role: 'agent_a' });
  const { token } = await parley.redeem({ code });
  return { path: `/api/public/agent/sessions/${session_id}/task`, token };
}

const ask = ({ path, token }, encoding) =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': encoding };
    request(new URL(path, server.url), { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk) => {
        bytes += chunk.length;
      });
      response.once('end', () => resolve(bytes));
    })
      .once('error', reject)
      .end();
  });

/** Calls `run` as often as `runs` says. Returns the mean processor time of one call, in microseconds. */
async function timed(runs, run) {
  for (let n = 0; n < runs / 10; n += 1) await run();
  const start = process.cpuUsage();
  for (let n = 0; n < runs; n += 1) await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / runs;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const write = (line) => process.stdout.write(`${line}\n`);

const large = await sessionWith(SIZES.large);
const task = await (
  await fetch(new URL(large.path, server.url), { headers: { Authorization: `Bearer ${large.token}` } })
).text();
for (const text of [task, task.slice(0, 4_000)])
  for (const level of [1, 2, 4, 6, 9]) {
    const packed = await pack(text, { level });
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await timed(text.length > 100_000 ? 20 : 400, () => pack(text, { level })));
    write(
      `gzip level ${level} of ${text.length} bytes: ${packed.length} bytes, ${median(rounds).toFixed(0)} µs of processor time`,
    );
  }

for (const [name, count] of Object.entries(SIZES)) {
  const session = await sessionWith(count);
  const runs = count > 100 ? 60 : 600;
  const rounds = { identity: [], gzip: [] };
  const bytes = { identity: await ask(session, 'identity'), gzip: await ask(session, 'gzip') };
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? ['identity', 'gzip'] : ['gzip', 'identity'];
    for (const encoding of order) rounds[encoding].push(await timed(runs, () => ask(session, encoding)));
  }
  for (const encoding of ['identity', 'gzip'])
    write(
      `${name} task, ${encoding}: ${bytes[encoding]} bytes, ${median(rounds[encoding]).toFixed(0)} µs of processor time of server and client`,
    );
}

await server.close();
await parley.close();
