import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { core } from './benches/core.ts';
import { history } from './benches/history.ts';
import { mcp } from './benches/mcp.ts';
import { read } from './benches/read.ts';
import { wake } from './benches/wake.ts';
import { write } from './benches/write.ts';
import { privatePostgres } from './postgres.ts';
import { renderBench } from './report.ts';
import { type Measured, measure } from './rounds.ts';

const BENCHES: readonly Bench[] = [core, read, write, mcp, wake, history];
const FULL = { rounds: 5, seconds: 5, samples: 200 };
const QUICK = { rounds: 3, seconds: 1.5, samples: 50 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' } },
});
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const chosen = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const machine = { node: process.version, cores: cpus().length, processor: cpus()[0]?.model ?? 'unknown' };
const loadBefore = loadavg();
console.log(`Node ${machine.node}, ${machine.cores} × ${machine.processor}, load average ${shownLoad(loadBefore)}`);
console.log('Only ratios of one run mean anything: floor and ours alternate, so what slows the machine slows both.');

const postgres = privatePostgres();
const measured: Measured[] = [];
try {
  const pace = values.quick ? QUICK : FULL;
  for (const bench of chosen) {
    const figures = await measure(bench, { ...pace, openDatabase: postgres.openDatabase });
    measured.push(...figures);
    console.log(renderBench(bench, figures));
  }
} finally {
  await postgres.stop();
}
console.log(`\nLoad average at the end: ${shownLoad(loadavg())}`);
if (values.json !== undefined) {
  const about = chosen.map(({ name, ours, floor }) => ({ name, ours, floor }));
  const load = { before: loadBefore, after: loadavg() };
  writeFileSync(values.json, `${JSON.stringify({ machine, load, quick: values.quick, about, measured }, null, 2)}\n`);
}

function shownLoad(load: readonly number[]): string {
  return load.map((average) => average.toFixed(2)).join(' ');
}
