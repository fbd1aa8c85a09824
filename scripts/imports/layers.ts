import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { circlesIn, groupedBy, reachedFrom } from './circles.ts';
import { type Import, importsIn, sourceFiles } from './source-imports.ts';

/**
 * Folders of the kernel, the lowest layer first. `leaves` stands for the files directly in the kernel, which import no
 * folder.
 */
export const KERNEL = [
  'leaves',
  'text',
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
 * Layers of the areas, the lowest first. `events`: schemas of events, and files that these import. `state`: the folds.
 * `operations`: operations, and files that only operations of the same area import. `rules`: all other files.
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

/** Finds the imports in the kernel from a lower layer to a higher one, including imports of types. */
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

/** Finds the imports in the areas from a lower layer to a higher one, including imports of types. */
export const upwardInAreas = ({ layerOf, imports }: AreaLayers): Upward[] =>
  upward(imports, AREAS, (file) => layerOf.get(file));

/**
 * Finds the cycles that the folders of the areas form by imports between files of the layer `rules`, including imports
 * of types.
 */
export function circlesOfRules({ layerOf, imports }: AreaLayers): string[][] {
  const areaOfRule = (file: string) => (layerOf.get(file) === 'rules' ? areaOf(file) : undefined);
  return circlesOfFolders(imports, areaOfRule);
}

/**
 * Finds the cycles that folders form by imports between their files.
 *
 * @param folderOf returns the folder of a file, or undefined for a file that does not count
 */
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

/**
 * Finds the cycles in every source folder except `areas`, whose layers import each other. In each folder, a subfolder
 * counts as one node and each file as one node: if a file uses a subfolder, the subfolder must not use that file.
 */
export function circlesWithin(root: string): string[][] {
  const imports = importsIn(root);
  return foldersIn(root)
    .filter((folder) => `${folder}/` !== AREAS_FOLDER)
    .flatMap((folder) => circlesOfFolders(imports, (file) => partOf(folder, file)));
}

/**
 * The folder directly in `folder` that contains the file, or the file if it is directly in `folder`. Undefined if the
 * file is outside `folder`.
 */
function partOf(folder: string, file: string): string | undefined {
  if (!file.startsWith(`${folder}/`)) return undefined;
  return join(folder, file.slice(folder.length + 1).split('/')[0] ?? '');
}

function foldersIn(root: string): string[] {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [root, ...paths.map(({ parentPath, name }) => join(parentPath, name))];
}

/**
 * The area of a file, such as `decisions` for a file in `areas/decisions/`. Undefined for a file directly in `areas`.
 */
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
