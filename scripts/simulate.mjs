// `pnpm sim`: runs the simulation on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/simulation/command-line.ts');
