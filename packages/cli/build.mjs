// Bundles the command `parley` into `dist/app`, with everything but the embedded database, and puts the files that it reads at the
// places where its modules look for them: the console, the missions, and the program of `parley run --demo`.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const { output } = await build({
  configFile: false,
  root: ownerApp,
  logLevel: 'warn',
  ssr: { noExternal: true, resolve: { conditions: ['@parley/source', 'module', 'node'] } },
  build: {
    ssr: 'src/main.ts',
    outDir: join(dist, 'app'),
    emptyOutDir: true,
    target: 'node20',
    rolldownOptions: {
      external: [/^@electric-sql\/pglite(\/|$)/, ABSENT],
      checks: { eval: false },
      output: { format: 'es', entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});

/** The licences of the packages whose code is in the bundle, which their terms require to be kept with it. */
function licensesOf(chunks) {
  const folders = new Set(chunks.flatMap(({ moduleIds = [] }) => moduleIds.map(packageFolder)).filter(Boolean));
  const texts = [...folders].map((place) => {
    const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(place, file), 'utf8').trim() : 'Its package has no file with the text.'}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package below `node_modules` that has a module. Undefined for a module of this repository. */
const packageFolder = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id.replace(/^\0/, ''))?.[0];

cpSync(join(ownerApp, 'dist/console'), join(dist, 'console'), {
  recursive: true,
  filter: (path) => !path.endsWith('.stamp'),
});
cpSync(join(ownerApp, 'bin/demo-agent.mjs'), join(folder, 'bin/demo-agent.mjs'));
for (const file of readdirSync(missions).filter(
  (name) => name.endsWith('.json') && !/^(package|tsconfig)/.test(name),
)) {
  cpSync(join(missions, file), join(dist, file));
  cpSync(join(missions, file.replace(/\.json$/, '')), join(dist, file.replace(/\.json$/, '')), { recursive: true });
}
cpSync(resolve(folder, '../../LICENSE'), join(folder, 'LICENSE'));
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licensesOf(output));
