// `pnpm torture` kills hosts, the database and connections under load. It needs no build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/torture/command-line.ts');
