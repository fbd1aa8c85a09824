// `pnpm torture` kills hosts, the database and connections under load. It runs on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/torture/command-line.ts');
