import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Bench, Pace, Run } from './bench.ts';
import { BENCHES } from './benches.ts';
import { type Conditions, describeMachine, describePace, loadAverage } from './conditions.ts';
import { type Outcome, renderPage } from './markdown.ts';
import { type PrivatePostgres, privatePostgres } from './postgres.ts';
import { renderBench } from './report.ts';
import { type Measured, measure } from './rounds.ts';

const FULL: Pace = { rounds: 5, seconds: 5, samples: 200, isQuick: false };
const QUICK: Pace = { rounds: 3, seconds: 1, samples: 30, isQuick: true };

const USAGE = `pnpm bench [name …] [--quick] [--rounds n] [--json file] [--markdown file]
names: ${BENCHES.map(({ name }) => name).join(', ')}
bench/README.md says what each compares.`;

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
if (values.rounds !== undefined && !/^[1-9]\d?$/.test(values.rounds)) {
  console.error('--rounds takes a whole number from 1 to 99.');
  process.exit(2);
}
await runAll(BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name)));

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        markdown: { type: 'string' },
        rounds: { type: 'string' },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

async function runAll(chosen: readonly Bench[]): Promise<void> {
  const [begin, loadBefore] = [performance.now(), loadAverage()];
  const usual = values.quick ? QUICK : FULL;
  const pace = { ...usual, rounds: Number(values.rounds ?? usual.rounds) };
  console.log(`Node ${process.version}, ${describeMachine()}, load average ${loadBefore}`);
  console.log('Only ratios of one run mean anything: floor and ours alternate, so what slows the machine slows both.');
  const postgres = privatePostgres();
  const outcomes: Outcome[] = [];
  try {
    for (const bench of chosen) {
      const since = performance.now();
      const measured = await measureOrSay(bench, { ...pace, openDatabase: postgres.openDatabase });
      outcomes.push({ bench, measured, note: readNote(bench.name) });
      console.log(renderBench(bench, measured));
      console.log(`  in ${secondsSince(since)} s`);
      // Writes the results after each bench, so that they are not lost if a later bench fails.
      save({ ...(await conditionsOf(postgres, pace)), load: `${loadBefore}, ${loadAverage()}` }, outcomes);
    }
  } finally {
    await postgres.stop();
  }
  console.log(`\n${secondsSince(begin)} s, load average at the end: ${loadAverage()}`);
}

function secondsSince(begin: number): number {
  return Math.round((performance.now() - begin) / 1000);
}

/** Runs a bench. If the bench fails, prints the error and returns nothing, so that the other benches run. */
async function measureOrSay(bench: Bench, run: Run): Promise<readonly Measured[]> {
  try {
    return await measure(bench, run);
  } catch (error) {
    console.error(`\n${bench.name} failed:`, error);
    process.exitCode = 1;
    return [];
  }
}

function save(conditions: Conditions, outcomes: readonly Outcome[]): void {
  if (values.markdown !== undefined) writeFileSync(values.markdown, renderPage(conditions, outcomes));
  if (values.json !== undefined) writeFileSync(values.json, renderJson(conditions, outcomes));
}

async function conditionsOf(postgres: PrivatePostgres, pace: Pace) {
  const version = await postgres.version();
  return {
    command: ['pnpm bench', ...process.argv.slice(2)].join(' '),
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    versions: [`Node ${process.version}`, ...(version === undefined ? [] : [`PostgreSQL ${version}`])].join(', '),
    rounds: describePace(pace),
  };
}

/** The note about a bench. Notes are written by hand; a run only reads them. */
function readNote(name: string): string | undefined {
  try {
    return readFileSync(new URL(`../notes/${name}.md`, import.meta.url), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function renderJson(conditions: Conditions, outcomes: readonly Outcome[]): string {
  const benches = outcomes.map(({ bench: { name, ours, floor }, measured }) => ({ name, ours, floor, measured }));
  return `${JSON.stringify({ conditions, benches }, null, 2)}\n`;
}
