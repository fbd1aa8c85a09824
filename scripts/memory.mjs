// `pnpm test:memory`: a hundred thousand sessions touched once on one host, and what stays in it. Without a build.
import process from 'node:process';
import { createServer } from 'vite';

const vite = await createServer({
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  ssr: { resolve: { conditions: ['@parley/source', 'module', 'node', 'development|production'] } },
});
const { main } = await vite.ssrLoadModule('/test/memory/command-line.ts');
process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});
await vite.close();
