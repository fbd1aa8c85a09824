/** One project of a vitest configuration. Projects share these by hand: `extends` would repeat the global set-up for each. */
export const vitestProject = (
  name: string,
  folders: readonly string[],
  { isolate = false, without = [] }: { readonly isolate?: boolean; readonly without?: readonly string[] } = {},
) => ({
  // Workspace packages resolve to their sources, so tests need no build. Not `module`, which Node does not know: what
  // it leads to is for bundlers, and Node cannot always load it.
  ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
  test: {
    name,
    include: folders.map((place) => (place.endsWith('.ts') ? place : `${place}/**/*.test.ts`)),
    exclude: ['**/node_modules/**', '**/dist/**', ...without],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Files leave nothing behind in their modules, and loading them anew for each file costs more than the tests.
    isolate,
  },
});
