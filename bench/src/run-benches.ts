import type { Bench, Pace } from './bench.ts';
import { privatePostgres } from './postgres.ts';
import { type Conditions, describeMachine, describePace, loadAverage } from './results/conditions.ts';
import type { Outcome } from './results/outcome.ts';
import { renderBench } from './results/report.ts';
import { measure } from './results/rounds.ts';

const INTERRUPTS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs benches one after another and prints the table of each. If a bench fails, its clean-ups run, its error is
 * printed and the next bench runs. After SIGINT or SIGTERM, the current bench ends and the other benches are skipped.
 *
 * @param save called after each bench, so that its results are stored even if this process is killed later
 * @returns the exit code: 1 if a bench failed or was skipped
 */
export async function runBenches(
  chosen: readonly Bench[],
  pace: Pace,
  save: (outcome: Outcome) => void = () => {},
): Promise<0 | 1> {
  const [begin, interrupted] = [performance.now(), watchInterrupts()];
  console.log(`Node ${process.version}, ${describeMachine()}, load average ${loadAverage()}`);
  console.log(
    'Only the ratios within one run can be compared: all sides alternate, so whatever slows the machine slows all of them.',
  );
  const peers = chosen.flatMap((bench) => bench.peerVersions?.() ?? []);
  if (peers.length > 0) console.log(`Peers: ${[...new Set(peers)].join(', ')}`);
  const postgres = privatePostgres();
  const failures: string[] = [];
  try {
    for (const bench of chosen) {
      if (interrupted.signal !== undefined) {
        failures.push(`${bench.name}: skipped after ${interrupted.signal}`);
        continue;
      }
      const [since, load] = [performance.now(), loadAverage()];
      const surroundings = { ...pace, openDatabase: postgres.openDatabase };
      const result = await measure(bench, surroundings, interrupted.promise).then(
        (measured) => ({ measured }),
        (error: unknown) => ({ measured: [], error }),
      );
      const failed = 'error' in result ? report(bench, result.error) : undefined;
      if (failed === undefined) console.log(renderBench(bench, result.measured));
      else failures.push(`${bench.name}: ${failed}`);
      console.log(`  in ${secondsSince(since)} s`);
      const peerVersions = bench.peerVersions?.() ?? [];
      const conditions = { ...describeConditions(await postgres.version(), pace), peers: peerVersions, load };
      save({ bench, conditions, measured: result.measured, ...(failed === undefined ? {} : { failed }) });
    }
  } finally {
    await postgres.stop();
  }
  console.log(`\n${secondsSince(begin)} s, load average at the end: ${loadAverage()}`);
  for (const failure of failures) console.error(`FAILED ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

/** Prints the error of a bench with its stack, and returns the error message. */
function report({ name }: Bench, error: unknown): string {
  console.error(`\n${name} failed:`, error);
  return error instanceof Error ? error.message : String(error);
}

/** Returns a promise that rejects at the first SIGINT or SIGTERM. The second signal ends the process at once. */
function watchInterrupts() {
  const watch: { signal?: string; readonly promise: Promise<never> } = {
    promise: new Promise((_, reject) => {
      for (const signal of INTERRUPTS)
        process.once(signal, () => {
          watch.signal ??= signal;
          reject(new Error(`The run was ended by ${signal}.`));
        });
    }),
  };
  watch.promise.catch(() => {});
  return watch;
}

const describeConditions = (postgres: string | undefined, pace: Pace): Omit<Conditions, 'load' | 'peers'> => ({
  date: new Date().toISOString().slice(0, 10),
  machine: describeMachine(),
  versions: [`Node ${process.version}`, ...(postgres === undefined ? [] : [`PostgreSQL ${postgres}`])].join(', '),
  rounds: describePace(pace),
});

const secondsSince = (begin: number): number => Math.round((performance.now() - begin) / 1000);
