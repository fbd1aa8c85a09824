// `pnpm sim`: runs the simulation on the sources, without a build.
import process from 'node:process';
import { createServer } from 'vite';

const vite = await createServer({
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'development|production'] } },
});
const { main } = await vite.ssrLoadModule('/test/simulation/command-line.ts');
process.exitCode = await main(process.argv.slice(2));
await vite.close();
