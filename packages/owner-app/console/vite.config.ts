import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/owner/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Uses the worker build of the Markdown parser. The browser build decodes `&lt;` by setting innerHTML, which the
  // content security policy of the console forbids.
  resolve: { conditions: ['worker', 'module', 'browser', 'development|production'] },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Assets are not inlined, because the content security policy allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
