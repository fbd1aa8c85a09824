import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { packageFile } from './package-file.ts';
import { type StaticFile, staticFile } from './static-file.ts';

/** A file of the built console. */
export interface ConsoleFile extends StaticFile {
  /** Whether the file name contains a hash of the content. Browsers may keep such a file for a year. */
  readonly isImmutable: boolean;
}

const BUILT = packageFile('dist/console/');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * Reads the files of the built console, by their paths below `/owner/`. Returns an empty map if the console was not
 * built. All contents are kept in memory, because they are small.
 */
export function readConsole(folder = BUILT): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => TYPES[extname(name)]);
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFile(folder, name)]));
}

const readFile = (folder: string, name: string): ConsoleFile => ({
  ...staticFile(readFileSync(join(folder, name)), TYPES[extname(name)] ?? 'application/octet-stream'),
  isImmutable: /^(?:join[\\/])?assets/.test(name),
});
