// `pnpm measure:citus` measures the rate and the processor time of appends and fetches, on one PostgreSQL and on Citus.
// It runs the sources without a build.
import { runCommand } from '../run-sources.mjs';

await runCommand('/test/reliability/citus/costs/command-line.ts');
