// `pnpm soak` loads one host for minutes, and checks that its memory does not grow. It needs no build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/soak/command-line.ts');
