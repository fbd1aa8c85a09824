// `pnpm sim` runs the simulation of hosts, a storage and clients on a virtual clock. It needs no build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/simulation/command-line.ts');
