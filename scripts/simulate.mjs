// `pnpm sim` runs the simulation on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/simulation/command-line.ts');
