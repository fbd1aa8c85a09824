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
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.d\.ts$|(?:^|\/)node_modules\//.test(file))
    .map((file) => normalize(join(folder, file)));
}
