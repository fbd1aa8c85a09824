// Bundles the command `parley` into `dist/app`, with everything but the embedded database, and puts the files that it reads at the
// places where its modules look for them: the console, the missions, and the program of `parley run --demo`.
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';

const folder = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const ownerApp = resolve(folder, '../owner-app');
const missions = resolve(folder, '../missions');
const dist = join(folder, 'dist');

/** Drivers that knex and pg would load for other databases. Nothing here asks for them. */
const ABSENT = /^(better-sqlite3|mariadb|mysql2?|oracledb|pg-native|pg-query-stream|sqlite3|tedious)(\/|$)/;

if (!existsSync(join(ownerApp, 'dist/console/index.html'))) throw new Error('The console is not built: pnpm build.');
rmSync(dist, { recursive: true, force: true });
await build({
  configFile: false,
  root: ownerApp,
  logLevel: 'warn',
  ssr: { noExternal: true, resolve: { conditions: ['@parley/source', 'module', 'node'] } },
  build: {
    ssr: 'src/main.ts',
    outDir: join(dist, 'app'),
    emptyOutDir: true,
    target: 'node20',
    // The terms of the packages in the bundle require their licences beside it.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      external: [/^@electric-sql\/pglite(\/|$)/, ABSENT],
      checks: { eval: false },
      output: { format: 'es', entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

cpSync(join(ownerApp, 'dist/console'), join(dist, 'console'), {
  recursive: true,
  filter: (path) => !path.endsWith('.stamp'),
});
cpSync(join(ownerApp, 'bin/demo-agent.mjs'), join(folder, 'bin/demo-agent.mjs'));
// A mission is a file, and the folder with the same name if it includes other files.
const entries = readdirSync(missions);
for (const entry of entries)
  if (!/^(package|tsconfig)/.test(entry) && entries.includes(`${entry.replace(/\.json$/, '')}.json`))
    cpSync(join(missions, entry), join(dist, entry), { recursive: true });
cpSync(resolve(folder, '../../LICENSE'), join(folder, 'LICENSE'));
