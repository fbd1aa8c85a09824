import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { HostPort } from '@parley/core';
import type { Context, Middleware } from 'koa';
import { htmlPage } from './html.ts';
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

let built: ReadonlyMap<string, ConsoleFile> | undefined;
/** The built console, compressed once for all apps of a process: half a second of processor time. */
const builtConsole = (): ReadonlyMap<string, ConsoleFile> => (built ??= readConsole());

const UNBUILT = htmlPage(
  '<title>Parley</title>',
  `<h1>Parley</h1>
<p>This server answers, but its console was not built. <code>npm start</code> builds it, and so does <code>pnpm build</code>.
The <code>parley</code> command does everything the console does: <code>parley --help</code>.</p>
<p>Agents work at <code>/api/public/agent</code> (REST) and <code>/api/public/mcp</code> (MCP).
The owner's API is at <code>/owner/api</code>.</p>`,
);

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // blob: for attached pictures, which the page makes of what the API answered.
  "img-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * Headers of the console's files. The content security policy allows only files of this server, forbids framing, and
 * forbids scripts to insert texts as HTML.
 */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/**
 * Where the link of an invitation leads. The page is the same for every link: the code is in the fragment, which no server sees. Its
 * files are below the same path, not below `/owner/`, where a proxy may demand a sign-in.
 */
const JOIN_PAGE = '/join';

/**
 * Serves the console below `/owner/`, and the page of an invitation at `/join` to everybody. Redirects browsers from `/` and `/owner` to `/owner/`. A program that reads `/`
 * gets a hint about how an agent joins a session.
 *
 * @param compression whether the files are compressed
 */
export function createConsoleRoutes(
  { name, joining }: HostPort['service'],
  compression: boolean,
  files: ReadonlyMap<string, ConsoleFile> = builtConsole(),
): Middleware {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || ctx.path.startsWith('/owner/api')) return next();
    if (ctx.path === '/') ctx.vary('Accept');
    if (ctx.path === '/' && !isNavigation(ctx.get('Accept'))) {
      ctx.body = { ok: true, service: name, hint: joining };
      return;
    }
    if (ctx.path === '/' || ctx.path === '/owner') {
      ctx.set(HEADERS);
      ctx.redirect('/owner/');
      ctx.body = '';
      return;
    }
    const file = fileAt(files, ctx.path);
    if (file) {
      const kept = file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
      ctx.set({ ...HEADERS, 'Cache-Control': kept });
      return sendFile(ctx, file, compression);
    }
    const page = files.get('index.html');
    if (page && ctx.path.startsWith('/owner/') && isNavigation(ctx.get('Accept'))) {
      ctx.set({ ...HEADERS, 'Cache-Control': 'no-store' });
      ctx.status = 404;
      ctx.type = page.type;
      ctx.body = page.plain;
      return;
    }
    if (ctx.path !== '/owner/' && ctx.path !== JOIN_PAGE) return next();
    ctx.set({ ...HEADERS, 'Cache-Control': 'no-cache' });
    ctx.type = 'html';
    ctx.body = UNBUILT;
  };
}

/** Whether a request has the Accept header of a browser that opens a page. */
const isNavigation = (accept: string): boolean => accept.split(',').some((type) => type.trim().startsWith('text/html'));

/**
 * Matches the paths of the console's pages below `/owner/`. The path of a session's page may contain a tab, a record id
 * or a message number. The same HTML file is sent for all pages.
 */
const PAGE = /^(?:(?:new|people|audit|find|group|sessions(?:\/[\w-]+(?:\/(?:[a-z-]+(?:_\d+)?|\d+))?)?)\/?)?$/;

function fileAt(files: ReadonlyMap<string, ConsoleFile>, path: string): ConsoleFile | undefined {
  if (path === JOIN_PAGE) return files.get('join/join.html');
  if (path.startsWith(`${JOIN_PAGE}/`)) return files.get(path.slice(1));
  if (!path.startsWith('/owner/')) return undefined;
  const own = path.slice('/owner/'.length);
  return PAGE.test(own) ? files.get('index.html') : files.get(own);
}
