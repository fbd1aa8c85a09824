import { createHash } from 'node:crypto';
import type { Context } from 'koa';

const STYLE = `:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:12vh auto 0;padding:0 1.25rem;overflow-wrap:anywhere}h1{font-size:1.5rem}a{display:inline-block;margin-top:.5rem}`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Sends an HTML page with the reason why a person is not signed in, to a browser that comes back from the provider. */
export function sendRefusal(ctx: Context, status: number, message: string): void {
  ctx.set(HEADERS);
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in - Parley</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>You are not signed in</h1>
<p role="alert">${escaped(message)}</p>
<p>Nothing was stored. <a href="/owner/">Back to the sign-in page</a></p>
</main>
</body>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
