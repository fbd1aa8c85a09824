import type { Context, Middleware } from 'koa';
import { type ConsoleFile, readConsole } from './console-files.ts';

const UNBUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
</head>
<body>
<h1>Parley</h1>
<p>This server answers, but its console was not built. <code>npm start</code> builds it, and so does <code>pnpm build</code>.
The <code>parley</code> command does everything the console does: <code>parley --help</code>.</p>
<p>Agents work at <code>/api/public/agent</code> (REST) and <code>/api/public/mcp</code> (MCP).
The owner's API is at <code>/owner/api</code>.</p>
</body>
</html>
`;

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/**
 * Headers of the console's files. The content security policy allows only files of this server, forbids framing, and prevents
 * that texts become markup.
 */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Serves the console at `/owner/`; its pages have addresses below that. Redirects `/` and `/owner` to it. */
export function createConsoleRoutes(files: ReadonlyMap<string, ConsoleFile> = readConsole()): Middleware {
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || ctx.path.startsWith('/owner/api')) return next();
    if (ctx.path === '/' || ctx.path === '/owner') {
      ctx.set(HEADERS);
      ctx.redirect('/owner/');
      ctx.body = '';
      return;
    }
    const file = ctx.path.startsWith('/owner/') ? fileAt(files, ctx.path.slice('/owner/'.length)) : undefined;
    if (file) return sendFile(ctx, file);
    if (ctx.path !== '/owner/') return next();
    ctx.set({ ...HEADERS, 'Cache-Control': 'no-cache' });
    ctx.type = 'html';
    ctx.body = UNBUILT;
  };
}

/** Matches the address of a page, below `/owner/`. It has no file extension. The same document is sent for all pages. */
const PAGE = /^(?:(?:new|sessions\/[\w-]+(?:\/[a-z-]+)?)\/?)?$/;

const fileAt = (files: ReadonlyMap<string, ConsoleFile>, path: string): ConsoleFile | undefined =>
  PAGE.test(path) ? files.get('index.html') : files.get(path);

function sendFile(ctx: Context, { type, etag, isImmutable, plain, gzip, brotli }: ConsoleFile): void {
  ctx.set({
    ...HEADERS,
    'Cache-Control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  ctx.type = type;
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding);
  ctx.body = encoding === 'br' ? brotli : encoding === 'gzip' ? gzip : plain;
}
