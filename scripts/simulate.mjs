// `pnpm sim` runs the simulation. It needs no build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/simulation/command-line.ts');
