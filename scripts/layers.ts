import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { circlesIn, groupedBy, reachedFrom } from './circles.ts';
import { type Import, importsIn, sourceFiles } from './source-imports.ts';

/** Folders of the kernel, lowest first. `leaves` are the files directly in the kernel; they import no folder. */
export const KERNEL = [
  'leaves',
  'log',
  'storage',
  'token',
  'operation',
  'observe',
  'session',
  'waiting',
  'engine',
  'entry',
] as const;

/**
 * Layers of the areas, lowest first: `events` has the events' schemas and what they import, `state` has the folds, `operations`
 * has the operations and the files that only operations of the same area import, `rules` has the other files.
 */
export const AREAS = ['events', 'state', 'rules', 'operations'] as const;
type AreaLayer = (typeof AREAS)[number];

const KERNEL_FOLDER = 'packages/core/src/kernel/';
const AREAS_FOLDER = 'packages/core/src/areas/';

/** An import from a lower layer to a higher one. */
export interface Upward extends Import {
  readonly layers: readonly [from: string, to: string];
}

export interface AreaLayers {
  readonly layerOf: ReadonlyMap<string, AreaLayer>;
  readonly imports: readonly Import[];
}

/** @returns imports in the kernel from a lower folder to a higher one, including imports of types */
export const upwardInKernel = (): Upward[] => upward(importsIn(KERNEL_FOLDER), KERNEL, kernelFolderOf);

function kernelFolderOf(file: string): string | undefined {
  if (!file.startsWith(KERNEL_FOLDER)) return undefined;
  const parts = file.slice(KERNEL_FOLDER.length).split('/');
  return parts.length === 1 ? 'leaves' : parts[0];
}

export function areaLayers(): AreaLayers {
  const imports = importsIn(AREAS_FOLDER);
  const files = sourceFiles(AREAS_FOLDER).filter((file) => areaOf(file) !== undefined);
  const isIn = (file: string) => file.startsWith(AREAS_FOLDER);
  const events = new Set(reachedFrom(files.filter(holdsEvents), imports).filter(isIn));
  const folds = new Set(reachedFrom([`${AREAS_FOLDER}state.ts`], imports).filter(isIn));
  const operations = operationFiles(files, imports);
  const layerOf = new Map(
    files.map((file): [string, AreaLayer] => {
      if (events.has(file)) return [file, 'events'];
      if (folds.has(file)) return [file, 'state'];
      return [file, operations.has(file) ? 'operations' : 'rules'];
    }),
  );
  return { layerOf, imports };
}

/** @returns imports in the areas from a lower layer to a higher one, including imports of types */
export const upwardInAreas = ({ layerOf, imports }: AreaLayers): Upward[] =>
  upward(imports, AREAS, (file) => layerOf.get(file));

/** @returns circles of the areas' folders, by the imports between files of the layer `rules`, including imports of types */
export function circlesOfRules({ layerOf, imports }: AreaLayers): string[][] {
  const areaOfRule = (file: string) => (layerOf.get(file) === 'rules' ? areaOf(file) : undefined);
  return circlesOfFolders(imports, areaOfRule);
}

/** @returns circles of folders; files for which `folderOf` returns undefined are left out */
export function circlesOfFolders(
  imports: readonly Import[],
  folderOf: (file: string) => string | undefined,
): string[][] {
  const edges = imports.flatMap(({ from, to }) => {
    const [a, b] = [folderOf(from), folderOf(to)];
    return a !== undefined && b !== undefined && a !== b ? [{ from: a, to: b }] : [];
  });
  return circlesIn(edges);
}

/** The area of a file, such as `decisions` for a file in `areas/decisions/`; undefined for files directly in `areas`. */
export function areaOf(file: string): string | undefined {
  return /^packages\/core\/src\/areas\/([^/]+)\//.exec(file)?.[1];
}

export const isOperation = (file: string): boolean => readFileSync(file, 'utf8').includes('defineOperation(');

const holdsEvents = (file: string): boolean => /^(?:[a-z]+-)?events\.ts$/.test(basename(file)) && definesEvents(file);

const definesEvents = (file: string): boolean => readFileSync(file, 'utf8').includes('defineEvents(');

function operationFiles(files: readonly string[], imports: readonly Import[]): ReadonlySet<string> {
  const found = new Set(files.filter(isOperation));
  const importersOf = groupedBy(imports, ({ to }) => to);
  const isPart = (file: string): boolean => {
    const importers = importersOf.get(file) ?? [];
    return importers.length > 0 && importers.every(({ from }) => found.has(from) && areaOf(from) === areaOf(file));
  };
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const file of files.filter(isPart)) found.add(file);
  }
  return found;
}

function upward(
  imports: readonly Import[],
  order: readonly string[],
  layerOf: (file: string) => string | undefined,
): Upward[] {
  return imports.flatMap((entry) => {
    const [from, to] = [layerOf(entry.from), layerOf(entry.to)];
    if (from === undefined || to === undefined || order.indexOf(to) <= order.indexOf(from)) return [];
    return [{ ...entry, layers: [from, to] as const }];
  });
}
