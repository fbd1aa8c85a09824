// Runs commands from the sources, without a build. The commands share the handling of `--help` and of wrong flags.
import process from 'node:process';
import { createServer } from 'vite';

/** Opens a loader for TypeScript modules of this repository, which resolves the packages to their sources. */
export const openSources = () =>
  createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  });

/** Runs a command: a module that exports `USAGE` and `main(args, environment)`, which returns the exit code. */
export async function runCommand(file) {
  const sources = await openSources();
  const { main, USAGE } = await sources.ssrLoadModule(file);
  const args = process.argv.slice(2);
  if (args.includes('--help')) console.log(USAGE);
  else process.exitCode = await main(args, process.env).catch((error) => refuse(error, USAGE));
  await sources.close();
}

function refuse(error, usage) {
  console.error(error instanceof Error ? error.message : error);
  if (String(error?.code).startsWith('ERR_PARSE_ARGS')) console.error(usage);
  return 2;
}
