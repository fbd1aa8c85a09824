import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Context } from 'koa';

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
