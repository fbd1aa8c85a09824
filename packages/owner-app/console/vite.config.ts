import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/owner/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // Nothing may be inlined: the content security policy allows files of this server alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/owner/api': 'http://127.0.0.1:4100' } },
});
