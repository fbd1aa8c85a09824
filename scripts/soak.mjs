// `pnpm soak` keeps one host under load for minutes, and checks that the host's memory does not grow. Needs no build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/soak/command-line.ts');
