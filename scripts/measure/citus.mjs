// `pnpm measure:citus` measures what an append and a fetch cost on one PostgreSQL and on Citus. It runs the sources
// without a build.
import { runCommand } from '../run-sources.mjs';

await runCommand('/test/reliability/citus/costs/command-line.ts');
