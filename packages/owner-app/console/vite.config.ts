import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/owner/',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    // No asset is inlined: the content security policy allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/owner/api': 'http://127.0.0.1:4100' } },
});
