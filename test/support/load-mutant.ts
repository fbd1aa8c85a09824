import { createServer, createServerModuleRunner, type Plugin } from 'vite';

/** A change of Parley's source. `find` must occur exactly once in the file. */
export interface Change {
  /** Path below `packages/core/src`. */
  readonly file: string;
  readonly find: string;
  readonly by: string;
}

/** Modules that run with a changed copy of Parley. */
interface Mutant {
  /** The value that the module at `path`, below the root of the repository, exports by this name. */
  load<V>(path: string, name: string): Promise<V>;
  close(): Promise<void>;
}

export interface Mutants {
  /**
   * Opens a copy of Parley with changes of the source, of which one may be open at a time. `load` throws if the source no
   * longer contains the text that a change replaces, or if the loaded module does not use a changed file.
   */
  open(changes: readonly Change[]): Mutant;
  close(): Promise<void>;
}

/** Opens a compiler for mutants. It compiles the modules that mutants leave unchanged once for all of them. */
export async function openMutants(): Promise<Mutants> {
  let changes: readonly Change[] = [];
  const planted = new Set<Change>();
  const planting: Plugin = {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      const fitting = changes.filter(({ file }) => isOf(id, file));
      for (const change of fitting) planted.add(change);
      return fitting.length > 0 ? fitting.reduce(plant, code) : undefined;
    },
  };
  const vite = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
    plugins: [planting],
  });
  const { ssr } = vite.environments;
  const replace = (others: readonly Change[]): void => {
    const files = [...changes, ...others].map(({ file }) => file);
    for (const module of ssr.moduleGraph.idToModuleMap.values())
      if (files.some((file) => isOf(module.id ?? '', file))) ssr.moduleGraph.invalidateModule(module);
    changes = others;
    planted.clear();
  };
  return {
    open(given) {
      replace(given);
      const runner = createServerModuleRunner(ssr, { hmr: false, sourcemapInterceptor: false });
      return {
        async load(path, name) {
          const loaded = await runner.import(path);
          const missing = given.filter((change) => !planted.has(change));
          if (missing.length > 0) throw new Error(`Never loaded: ${missing.map(({ file }) => file).join(', ')}`);
          return loaded[name];
        },
        close: () => runner.close(),
      };
    },
    close: () => vite.close(),
  };
}

const isOf = (id: string, file: string): boolean => id.endsWith(`/packages/core/src/${file}`);

function plant(code: string, { file, find, by }: Change): string {
  const times = code.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times what the mutant replaces:\n${find}`);
  return code.replace(find, () => by);
}
