import type { Middleware } from 'koa';
import { openApiDocument, ownerApiDocument } from './reference/open-api.ts';
import { REFERENCE_STYLE, referencePage } from './reference/reference-page.ts';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
} as const;

/**
 * Serves `/docs` for people, and `/openapi.json` and `/openapi-owner.json` for programs. Each is generated when it is requested
 * for the first time.
 */
export function createReferenceRoutes(version: string): Middleware {
  const pages: Readonly<Record<string, { readonly type: string; render(): string }>> = {
    '/docs': { type: 'html', render: () => referencePage(version) },
    '/docs/style.css': { type: 'css', render: () => REFERENCE_STYLE },
    '/openapi.json': { type: 'json', render: () => JSON.stringify(openApiDocument({ version })) },
    '/openapi-owner.json': { type: 'json', render: () => JSON.stringify(ownerApiDocument({ version })) },
  };
  const made = new Map<string, string>();
  return async (ctx, next) => {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const text = made.get(ctx.path) ?? page.render();
    made.set(ctx.path, text);
    ctx.set(HEADERS);
    ctx.type = page.type;
    ctx.body = text;
  };
}
