// `pnpm measure:metrics` measures how much processor time metrics add to each call. The calls run in process, on a
// storage in memory. Measurements with metrics alternate with measurements without metrics.
import process from 'node:process';
import { createMemoryStorage, createParley } from '@parley/core';
import { createMetrics } from '@parley/owner-app';

const ROUNDS = 9;
const CALLS = 8_000;
const SESSION = { title: 'T', objective: 'O', requirements: [{ requirement_id: 'req-1', text: 'x' }] };
const LIMITS = { perToken: Number.MAX_SAFE_INTEGER };

/** Measures the processor time of each kind of call in a new session, in microseconds for each call. */
async function measure(observer) {
  const parley = await createParley({
    storage: createMemoryStorage(),
    limits: LIMITS,
    ...(observer ? { observer } : {}),
  });
  const owner = parley.owner('owner');
  const { session_id } = await owner.createSession(SESSION);
  const { code } = await owner.invite(session_id, { role: 'agent_a' });
  const { token } = await parley.redeem({ code });
  await owner.start(session_id);
  const request = {
    method: 'GET',
    path: `/sessions/${session_id}/state`,
    query: new URLSearchParams(),
    authorization: [`Bearer ${token}`],
    address: '127.0.0.1',
    idempotencyKeys: [],
    readBody: async () => '',
  };
  const read = await timed(CALLS, () => parley.callRoute(request));
  const write = await timed(CALLS / 4, (n) =>
    n % 2 === 0 ? owner.pause(session_id, { reason: 'x' }) : owner.resume(session_id, {}),
  );
  await parley.close();
  return { read, write };
}

async function timed(calls, run) {
  for (let n = 0; n < calls / 10; n += 1) await run(n);
  const start = process.cpuUsage();
  for (let n = 0; n < calls; n += 1) await run(n);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const rounds = [];
await measure(undefined);
for (let round = 0; round < ROUNDS; round += 1) {
  const measured = async () => await measure(createMetrics({ ofProcess: false }).observer);
  const isFirst = round % 2 === 0;
  const first = isFirst ? await measured() : await measure(undefined);
  const second = isFirst ? await measure(undefined) : await measured();
  rounds.push(isFirst ? { on: first, off: second } : { on: second, off: first });
}
for (const kind of ['read', 'write']) {
  const off = median(rounds.map((round) => round.off[kind]));
  const differences = rounds.map((round) => round.on[kind] - round.off[kind]).toSorted((a, b) => a - b);
  const spread = `${differences[1]?.toFixed(1)} to ${differences.at(-2)?.toFixed(1)}`;
  process.stdout.write(
    `${kind.padEnd(6)} ${off.toFixed(1).padStart(7)} µs without, ${median(differences).toFixed(1)} µs more with metrics (${spread} in ${ROUNDS} rounds)\n`,
  );
}
