// `pnpm torture`: hosts, database and connections that die under load, on the sources, without a build.
import { runCommand } from './run-sources.mjs';

await runCommand('/test/reliability/torture/command-line.ts');
