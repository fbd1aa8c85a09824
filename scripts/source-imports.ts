import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Import {
  /** The file that imports, from the root of the workspace. */
  readonly from: string;
  /** A file of the workspace, or a package as written. */
  readonly to: string;
  /** Gone after compilation. */
  readonly isTypeOnly: boolean;
}

const STATEMENT =
  /^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Every import between and out of the sources in `folder`. */
export function importsIn(folder: string): Import[] {
  return sourceFiles(folder).flatMap((from) =>
    [...readFileSync(from, 'utf8').matchAll(STATEMENT)].map(([, type, fixed, dynamic]) => {
      const specifier = fixed ?? dynamic ?? '';
      const to = specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier;
      return { from, to, isTypeOnly: type !== undefined };
    }),
  );
}

/** Every TypeScript source in `folder`, from the root of the workspace. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => normalize(join(folder, file)));
}
