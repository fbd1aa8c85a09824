import type { Middleware } from 'koa';
import { openApiDocument, ownerApiDocument } from './reference/open-api.ts';
import { REFERENCE_STYLE, referencePage } from './reference/reference-page.ts';
import { type StaticFile, sendFile, staticFile } from './static-file.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
} as const;

/**
 * Serves `/docs` for people, and `/openapi.json` and `/openapi-owner.json` for programs. Each file is generated at its
 * first request.
 *
 * @param compression whether the files are compressed
 */
export function createReferenceRoutes(version: string, compression: boolean): Middleware {
  const pages: Readonly<Record<string, { readonly type: string; render(): string }>> = {
    '/docs': { type: 'text/html; charset=utf-8', render: () => referencePage(version) },
    '/docs/style.css': { type: 'text/css; charset=utf-8', render: () => REFERENCE_STYLE },
    '/openapi.json': { type: JSON_TYPE, render: () => JSON.stringify(openApiDocument({ version })) },
    '/openapi-owner.json': { type: JSON_TYPE, render: () => JSON.stringify(ownerApiDocument({ version })) },
  };
  const made = new Map<string, StaticFile>();
  return async (ctx, next) => {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const file = made.get(ctx.path) ?? staticFile(Buffer.from(page.render()), page.type);
    made.set(ctx.path, file);
    ctx.set(HEADERS);
    sendFile(ctx, file, compression);
  };
}
