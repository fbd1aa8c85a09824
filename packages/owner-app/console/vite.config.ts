import { join, resolve } from 'node:path';
import { build, defineConfig, type Plugin, type ResolvedConfig, type UserConfig } from 'vite';

const COMMON = {
  root: import.meta.dirname,
  base: '/owner/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
} satisfies UserConfig;

/** Options of both builds. */
const BUILT = {
  target: 'es2022',
  // Assets are not inlined, because the content security policy allows only files of this server.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
} as const;

/** Builds the page of an invitation by itself, so that it loads nothing of the console, and the console nothing of it. */
function joinPage(): Plugin {
  let console: ResolvedConfig | undefined;
  return {
    name: 'join-page',
    apply: 'build',
    configResolved(resolved) {
      console = resolved;
    },
    async closeBundle() {
      if (!console) return;
      const {
        root,
        logLevel,
        build: built,
        resolve: { conditions },
      } = console;
      await build({
        ...COMMON,
        base: '/join/',
        configFile: false,
        logLevel,
        resolve: { conditions },
        build: {
          ...BUILT,
          outDir: resolve(root, built.outDir, 'join'),
          emptyOutDir: true,
          rolldownOptions: { input: join(root, 'join.html') },
        },
      });
    },
  };
}

export default defineConfig({
  ...COMMON,
  plugins: [joinPage()],
  // Uses the worker build of the Markdown parser. The browser build decodes `&lt;` by setting innerHTML, which the
  // content security policy of the console forbids.
  resolve: { conditions: ['worker', 'module', 'browser', 'development|production'] },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    ...BUILT,
    // The terms of the libraries in the bundle require their licences beside it. The page of an invitation has no other libraries.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      // Allows index.html to load directly the files that `codeSplitting` makes, without a file that only imports them.
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          // Puts the code that every page needs into one file, because a browser sends at most six requests at a time
          // over HTTP/1.1. The first reads are in a separate small file that runs first.
          groups: [{ name: 'index', tags: ['$initial'], test: /^(?!.*api.(first-reads|page-key))/ }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
  server: { proxy: { '/owner/api': 'http://127.0.0.1:4100' } },
});
