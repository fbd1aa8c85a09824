// `pnpm soak`: one host under load for minutes, and whether anything in it grows. Runs on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/soak/command-line.ts');
