// `pnpm torture`: kills hosts, database and connections under load. Runs on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/torture/command-line.ts');
