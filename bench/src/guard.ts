/** Measures what the guard guards, prints it beside the recorded figures, and fails if a figure is too high. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawHistory } from './guard/draw-history.ts';
import { ALLOWANCE, ALLOWANCE_ELSEWHERE, type Judged, judge, lowest, type Measured, middle } from './guard/figures.ts';
import { Figures, type Recorded, readHistory, record, recordsOf, thisProcessor } from './guard/history.ts';

const USAGE = 'pnpm bench:guard [--record "why the figures change"]';
const HISTORY = fileURLToPath(new URL('../guard.json', import.meta.url));
const PICTURE = fileURLToPath(new URL('../pictures/guard.svg', import.meta.url));

/** V8 drops the code of functions that were not called for a while, which would look like less memory. */
const FLAGS = ['--expose-gc', '--no-flush-bytecode'];
/** The most measurements of one run. */
const MOST = 3;

const { record: why } = readArguments();
const { recorded, allowance } = lastRecord();
const measurements: Measured[] = [measure()];
if (why === undefined) {
  // A figure that is really too high is so each time.
  while (measurements.length < MOST && isTooHigh(measurements)) measurements.push(measure());
  refuseHigh(report(lowest(measurements)));
} else {
  while (measurements.length < MOST) measurements.push(measure());
  const figures = middle(measurements);
  report(figures);
  writeFileSync(PICTURE, drawHistory(record(HISTORY, { ...whereAndWhen(), why, figures })));
}

function readArguments(): { readonly record?: string | undefined } {
  try {
    return parseArgs({ options: { record: { type: 'string' } } }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

/** The last record of this processor. Without one, the last of all, with the wider allowance. */
function lastRecord(): { readonly recorded: Recorded; readonly allowance: number } {
  const history = readHistory(HISTORY);
  const own = recordsOf(history, thisProcessor()).at(-1);
  const recorded = own ?? history.at(-1);
  if (!recorded) throw new Error('The history is empty.');
  return { recorded, allowance: own ? ALLOWANCE : ALLOWANCE_ELSEWHERE };
}

function measure(): Measured {
  const script = fileURLToPath(new URL('./guard/measure.js', import.meta.url));
  const text = execFileSync(process.execPath, [...FLAGS, script], { encoding: 'utf8' });
  return Figures.parse(JSON.parse(text));
}

function isTooHigh(taken: readonly Measured[]): boolean {
  return judge(lowest(taken), recorded.figures, allowance).some((figure) => figure.isTooHigh);
}

/** Prints the figures beside the recorded ones, and returns those that are too high. */
function report(figures: Measured): Judged[] {
  const judged = judge(figures, recorded.figures, allowance);
  console.log(`recorded on ${recorded.date} at ${recorded.commit}, ${recorded.processor}: ${recorded.why}`);
  console.log(judged.map(lineOf).join('\n'));
  return judged.filter((figure) => figure.isTooHigh);
}

function lineOf({ name, unit, measured: now, recorded: before, percent, isTooHigh: isHigh }: Judged): string {
  const [shown, known] = [now, before].map((value) => `${value.toFixed(2)} ${unit}`.padStart(11));
  const change = `${percent > 0 ? '+' : ''}${percent} %`.padStart(7);
  return `${name.padEnd(8)}${shown}   recorded ${known}${change}${isHigh ? '   TOO HIGH' : ''}`;
}

function refuseHigh(high: readonly Judged[]): void {
  if (high.length === 0) return;
  console.error(
    `${high.map(({ name }) => name).join(', ')}: more than ${allowance * 100} % above the recorded figure. A profile shows why
(bench/README.md). If the cost is wanted, record it with the reason: ${USAGE}`,
  );
  process.exitCode = 1;
}

function whereAndWhen(): Pick<Recorded, 'date' | 'commit' | 'processor'> {
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  return { date: new Date().toISOString().slice(0, 10), commit, processor: thisProcessor() };
}
