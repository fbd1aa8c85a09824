import { createServer, type Plugin } from 'vite';

/** A change of Parley's source. `find` must occur exactly once in the file. */
export interface Change {
  /** Path below `packages/core/src`. */
  readonly file: string;
  readonly find: string;
  readonly by: string;
}

/** Modules that run with a changed copy of Parley. */
export interface Mutant {
  /** The value that the module at `path`, below the root of the repository, exports by this name. */
  load<V>(path: string, name: string): Promise<V>;
  close(): Promise<void>;
}

/**
 * Opens a copy of Parley with changes of the source. `load` throws if the source no longer contains the text that a change
 * replaces, or if the loaded module does not use a changed file.
 */
export async function openMutant(changes: readonly Change[]): Promise<Mutant> {
  const planted = new Set<Change>();
  const vite = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
    plugins: [planting(changes, planted)],
  });
  return {
    async load(path, name) {
      const loaded = await vite.ssrLoadModule(path);
      const missing = changes.filter((change) => !planted.has(change));
      if (missing.length > 0) throw new Error(`Never loaded: ${missing.map(({ file }) => file).join(', ')}`);
      return loaded[name];
    },
    close: () => vite.close(),
  };
}

function planting(changes: readonly Change[], planted: Set<Change>): Plugin {
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const fitting = changes.filter(({ file }) => id.endsWith(`/packages/core/src/${file}`));
      for (const change of fitting) planted.add(change);
      return fitting.length > 0 ? fitting.reduce(plant, code) : undefined;
    },
  };
}

function plant(code: string, { file, find, by }: Change): string {
  const times = code.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times what the mutant replaces:\n${find}`);
  return code.replace(find, () => by);
}
