// `pnpm test:memory`: a hundred thousand sessions touched once on one host, and what stays in it. Without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/memory/command-line.ts');
