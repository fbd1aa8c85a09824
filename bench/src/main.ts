import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Pace } from './bench.ts';
import { BENCHES } from './benches.ts';
import { readResults, saveOutcome } from './results/files.ts';
import { renderPage } from './results/markdown.ts';
import { runBenches } from './run-benches.ts';

const FULL: Pace = { rounds: 5, seconds: 5, samples: 200, isQuick: false };
const QUICK: Pace = { rounds: 3, seconds: 1, samples: 30, isQuick: true };

const RESULTS = new URL('../results', import.meta.url);
const PAGE = new URL('../RESULTS.md', import.meta.url);

const USAGE = `pnpm bench [name …] [--quick] [--rounds n] [--save machine]
pnpm bench --page
names: ${BENCHES.map(({ name }) => name).join(', ')}
bench/README.md says what each compares.`;

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (values.page) {
  writeFileSync(PAGE, pageOfResults());
  process.exit(0);
}
const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
if (unknown.length > 0)
  refuse(`There is no bench ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}.`);
if (values.rounds !== undefined && !/^[1-9]\d?$/.test(values.rounds))
  refuse('--rounds takes a whole number from 1 to 99.');
if (values.save !== undefined && !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(values.save))
  refuse('--save takes a name for this machine of small letters, digits and hyphens, such as amd-epyc-9b14.');

const usual = values.quick ? QUICK : FULL;
const chosen = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const code = await runBenches(chosen, { ...usual, rounds: Number(values.rounds ?? usual.rounds) }, (outcome) => {
  if (values.save === undefined) return;
  saveOutcome(fileURLToPath(new URL(`${values.save}.json`, `${RESULTS}/`)), outcome, BENCHES);
  writeFileSync(PAGE, pageOfResults());
});
// A clean-up that failed has already set `process.exitCode`.
process.exit(code === 0 ? process.exitCode : code);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        page: { type: 'boolean', default: false },
        save: { type: 'string' },
        rounds: { type: 'string' },
      },
    });
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

function pageOfResults(): string {
  const noted = BENCHES.map((bench) => ({ bench, note: readNote(bench.name) }));
  return renderPage(readResults(fileURLToPath(RESULTS), BENCHES), noted);
}

/** Reads the hand-written note about a bench. Returns undefined if there is no note. */
function readNote(name: string): string | undefined {
  try {
    return readFileSync(new URL(`../notes/${name}.md`, import.meta.url), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
