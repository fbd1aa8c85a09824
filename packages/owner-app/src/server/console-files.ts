import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A file of the built console, ready to be sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** True if the name of the file contains a hash of its content. Such a file never changes. */
  readonly isImmutable: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

/** Folder of the built console. This path is right both from the sources and from the compiled files. */
const BUILT = fileURLToPath(new URL('../../dist/console/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the built console, by their path below `/owner/`. Empty if the console was not built. The files are small, so
 * all of them are kept in memory.
 */
export function readConsole(folder = BUILT): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => TYPES[extname(name)]);
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFile(folder, name)]));
}

function readFile(folder: string, name: string): ConsoleFile {
  const plain = readFileSync(join(folder, name));
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    isImmutable: name.startsWith('assets'),
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  };
}
