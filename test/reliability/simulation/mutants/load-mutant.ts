import { createServer, type Plugin } from 'vite';
import type { runSeed } from '../run-seed.ts';
import type { Change } from './source-mutants.ts';

/** The simulation with a changed copy of Parley, loaded as separate modules. */
export interface MutatedSimulation {
  readonly runSeed: typeof runSeed;
  close(): Promise<void>;
}

/**
 * Loads the simulation and Parley again, with changes of the source. Throws if the source no longer contains the text
 * that a change replaces.
 */
export async function loadMutant(changes: readonly Change[]): Promise<MutatedSimulation> {
  const planted = new Set<Change>();
  const vite = await createServer({
    configFile: false,
    appType: 'custom',
    logLevel: 'silent',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    ssr: { resolve: { conditions: ['@parley/source', 'node', 'development|production'] } },
    plugins: [planting(changes, planted)],
  });
  const loaded = await vite.ssrLoadModule('/test/reliability/simulation/run-seed.ts');
  const missing = changes.filter((change) => !planted.has(change));
  if (missing.length > 0) throw new Error(`Never loaded: ${missing.map(({ file }) => file).join(', ')}`);
  return { runSeed: loaded.runSeed, close: () => vite.close() };
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
