import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** The importing file, relative to the root of the workspace. */
  readonly from: string;
  /** The imported file, relative to the root of the workspace. For a package, the name in the import statement. */
  readonly to: string;
  /** True for `import type` and `export type`, which compilation removes. */
  readonly isTypeOnly: boolean;
}

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** The folders of sources of the packages and of the console. */
export function sourceFolders(): string[] {
  return readdirSync('packages')
    .flatMap((name) => [`packages/${name}/src`, `packages/${name}/console/src`])
    .filter((folder) => existsSync(folder))
    .toSorted();
}

/** All imports of the sources in `folder`. */
export function importsIn(folder: string): Import[] {
  return sourceFiles(folder).flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(STATEMENT)].map(([, type, fixed, dynamic]) => {
      const specifier = fixed ?? dynamic ?? '';
      const to = specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier;
      return { from, to, isTypeOnly: type !== undefined };
    }),
  );
}

/** All TypeScript sources in `folder`, relative to the root of the workspace. */
export const sourceFiles = (folder: string): string[] =>
  filesIn(folder).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

/** All style sheets in `folder`, relative to the root of the workspace. */
export const styleFiles = (folder: string): string[] => filesIn(folder).filter((file) => file.endsWith('.css'));

/** Does not enter `node_modules`, where other tests put compiled programs and remove them at the same time. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(path);
    return [path];
  });
}
