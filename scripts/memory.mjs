// `pnpm test:memory` reads each of 100,000 sessions once on one host, and measures the host's memory. It needs no
// build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/memory/command-line.ts');
