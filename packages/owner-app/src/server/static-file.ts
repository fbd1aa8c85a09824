import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context } from 'koa';
import { packageFile } from './package-file.ts';

/** A file that is the same for every reader. The file is compressed once and kept in memory in each encoding. */
export interface StaticFile {
  readonly type: string;
  /** A weak ETag, because the ETag is the same for every encoding of the file. */
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
}

export const staticFile = (plain: Buffer, type: string): StaticFile => ({
  type,
  etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
  plain,
  gzip: gzipSync(plain, { level: 9 }),
  brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
});

/**
 * Sends a file in the encoding that the client prefers, or 304 if the client already has the file.
 *
 * @param compression if false, the file is sent without compression
 */
export function sendFile(ctx: Context, { type, etag, plain, gzip, brotli }: StaticFile, compression: boolean): void {
  ctx.set({ ETag: etag, ...(compression ? { Vary: 'Accept-Encoding' } : {}) });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  const encoding = compression && ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding);
  ctx.body = encoding === 'br' ? brotli : encoding === 'gzip' ? gzip : plain;
}

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
 * Reads the files of the built console, by their paths in its folder: those in `join/` are the page of an invitation, below `/join`,
 * and all others are below `/owner/`. Returns an empty map if the console was not built. All contents are kept in memory, because
 * they are small.
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
