import type { Middleware } from 'koa';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
</head>
<body>
<h1>Parley</h1>
<p>This server answers. The owner's console will be here; until then the <code>parley</code> command does everything:</p>
<pre>parley sessions    list your sessions
parley create      open one
parley watch ID    follow it as it happens
parley --help      all the rest</pre>
<p>Agents work at <code>/api/public/agent</code> (REST) and <code>/api/public/mcp</code> (MCP).
The owner's API is at <code>/owner/api</code>.</p>
</body>
</html>
`;

/** Nothing is loaded, run, framed or sent from the page. */
const CONSOLE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
} as const;

/** `/owner/`, the place of the console. `/` and `/owner` lead there. */
export const servePlace: Middleware = async (ctx, next) => {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (!isRead || !['/', '/owner', '/owner/'].includes(ctx.path)) return next();
  ctx.set(CONSOLE_HEADERS);
  if (ctx.path === '/owner/') {
    ctx.type = 'html';
    ctx.body = PAGE;
  } else {
    ctx.redirect('/owner/');
    ctx.body = '';
  }
};
