// `pnpm test:memory`: reads each of 100,000 sessions once on one host and measures its memory. Runs on the sources,
// without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/memory/command-line.ts');
