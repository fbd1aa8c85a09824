// `pnpm measure:snapshots [--against COMMIT]` measures the length of the snapshot of a long session, and the processor
// time of its first read in a new process. With COMMIT, it also measures the snapshot codec of that commit.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { transformWithOxc } from 'vite';
import { openSources } from '../run-sources.mjs';

const EVENTS = 10_000;
const TURNS = 800;
const ROUNDS = 15;
const KERNEL = 'packages/core/src/kernel';
const FILES = ['json-value', 'log/persistent-collections', 'log/state-codec'];
const run = promisify(execFile);

/**
 * The program of the new process that reads the snapshot. It measures one read without warm-up, and the median of
 * twenty further reads. It measures processor time, which other load on the machine hardly changes.
 */
const READER = `
import { readFile } from 'node:fs/promises';
import process from 'node:process';
const [codec, file] = process.argv.slice(1);
const { decodeState } = await import(codec);
const text = await readFile(file, 'utf8');
const times = Array.from({ length: 21 }, () => {
  const start = process.cpuUsage();
  decodeState(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
});
console.log(JSON.stringify({ first: times[0], warm: times.slice(1).sort((a, b) => a - b)[10] }));
`;

/** Creates the folded state of a session with many turns, questions, proposals and evidence. */
async function longSession(sources) {
  const { createMemoryStorage, createParley } = await sources.ssrLoadModule('@parley/core');
  const { domain } = await sources.ssrLoadModule(`/${KERNEL}/../areas/domain.ts`);
  const { readEvent } = await sources.ssrLoadModule(`/${KERNEL}/log/event.ts`);
  const much = 1_000_000_000;
  const quotas = { bytes: much, events: much, revisions: much, findings: much };
  const limits = { perToken: much, perAddress: much, openDecisions: much, openQuestions: much, quotas };
  const storage = createMemoryStorage();
  const parley = await createParley({ storage, limits });
  const owner = parley.owner('measure');
  const { session_id: sessionId } = await owner.createSession({
    title: 'Stock levels',
    objective: 'Shops see what the warehouse holds within a second.',
    guardrails: [],
    requirements: [{ requirement_id: 'req-1', text: 'A level shown is at most one second old.' }],
    round_limit: 100,
    agents: {
      agent_a: { name: 'Shop agent', repository: 'acme/shop', service: 'shop' },
      agent_b: { name: 'Warehouse agent', repository: 'acme/warehouse', service: 'warehouse' },
    },
  });
  const agents = [];
  for (const role of ['agent_a', 'agent_b']) {
    const { code } = await owner.invite(sessionId, { role });
    agents.push(parley.agent((await parley.redeem({ code })).token));
  }
  await owner.start(sessionId);
  await owner.extendRounds(sessionId, { rounds: 900 });
  for (let turn = 0; turn < TURNS; turn += 1) {
    await agents[turn % 2].call('post_turn', {
      request_id: `turn-${turn}`,
      summary: 'The shop adds up movements by their number and asks for the whole level when one is missing.',
      next_step: `Read movement ${turn}.`,
      questions: [`How long is movement ${turn} kept?`],
      proposed_decisions: [{ topic: `Movement ${turn}`, position: `Movement ${turn} is kept for a week.` }],
    });
  }
  const evidence = [{ kind: 'file', reference: 'src/levels.ts:12', excerpt: 'add(movement)' }];
  for (let id = 0; id < EVENTS; ) id = (await agents[0].call('post_evidence', { evidence })).message_id;
  let state = domain.empty(sessionId);
  for (let next = 1; ; ) {
    const events = await storage.events(sessionId, next, next + 499);
    if (events.length === 0) break;
    state = events.map(readEvent).reduce(domain.evolve, state);
    next += events.length;
  }
  await parley.close();
  return state;
}

/**
 * Compiles the snapshot codec, the modules that read and write snapshots, to JavaScript in a folder: as of a commit, or
 * of the working tree. Returns the URL of the compiled module.
 */
async function codecOf(folder, commit) {
  for (const name of FILES) {
    const path = `${KERNEL}/${name}.ts`;
    const read = commit
      ? run('git', ['show', `${commit}:${path}`])
      : readFile(path, 'utf8').then((stdout) => ({ stdout }));
    const { stdout } = await read.catch(() => ({ stdout: '' }));
    const { code } = await transformWithOxc(stdout, path);
    await mkdir(join(folder, 'log'), { recursive: true });
    await writeFile(join(folder, `${name}.js`), code.replaceAll(".ts'", ".js'").replaceAll('.ts"', '.js"'));
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return pathToFileURL(join(folder, 'log/state-codec.js')).href;
}

/** Copies a value, and replaces collections of the module `from` by collections of the module `to`. */
function copied(value, from, to) {
  if (typeof value !== 'object' || value === null) return value;
  const copy = (member) => copied(member, from, to);
  if (Array.isArray(value)) return value.map(copy);
  if (from.isPersistentList(value)) return to.persistentListOf(value.items.slice(0, value.length).map(copy));
  if (from.isPersistentMap(value))
    return to.persistentMapOf(from.entries(value).map(([key, item]) => [key, copy(item)]));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.trunc(values.length / 2)];

const { values: flags } = parseArgs({ options: { against: { type: 'string' } } });
const sources = await openSources();
const folder = await mkdtemp(join(tmpdir(), 'parley-snapshots-'));
const state = await longSession(sources);
const collections = await sources.ssrLoadModule(`/${KERNEL}/log/persistent-collections.ts`);
const sides = [];
for (const commit of flags.against === undefined ? [undefined] : [flags.against, undefined]) {
  const name = commit ?? 'working tree';
  const codec = await codecOf(join(folder, name), commit);
  const { encodeState } = await import(codec);
  const text = await encodeState(
    copied(state, collections, await import(codec.replace('state-codec', 'persistent-collections'))),
  );
  const file = join(folder, `${name}.json`);
  await writeFile(file, text);
  sides.push({ name, codec, file, text, reads: [] });
}
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { codec, file, reads } of sides) {
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', READER, codec, file]);
    reads.push(JSON.parse(stdout));
  }
}
console.log(`A session of ${state.head.seq} events; processor time, medians of ${ROUNDS} new processes each.`);
for (const { name, text, reads } of sides) {
  const [first, warm] = ['first', 'warm'].map((which) => `${median(reads.map((read) => read[which])).toFixed(1)} ms`);
  const [kB, gzipped] = [text, gzipSync(text)].map(({ length }) => `${Math.round(length / 1000)} kB`);
  console.log(`${name.padEnd(14)} first read ${first}, once warm ${warm}; ${kB}, ${gzipped} compressed`);
}
await rm(folder, { recursive: true });
await sources.close();
