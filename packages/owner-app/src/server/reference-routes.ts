import { answerNotFound } from '@parley/http-host';
import type { Middleware } from 'koa';
import { openApiDocument, ownerApiDocument, toolNames } from './reference/open-api.ts';
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

/** A page, which is the same for every reader. */
interface Page {
  readonly type: string;
  /** Whether the query can name one tool, about which alone the reader asks. */
  readonly takesTool?: boolean;
  /** Undefined if there is no such tool. */
  render(tool?: string): string | undefined;
}

/**
 * Serves `/docs` for people, and `/openapi.json` and `/openapi-owner.json` for programs. `/openapi.json?tool=NAME` describes
 * one call of an agent, which reads it instead of the whole file. Each file is generated at its first request.
 *
 * @param compression whether the files are compressed
 */
export function createReferenceRoutes(version: string, compression: boolean): Middleware {
  const pages: Readonly<Record<string, Page>> = {
    '/docs': { type: 'text/html; charset=utf-8', render: () => referencePage(version) },
    '/docs/style.css': { type: 'text/css; charset=utf-8', render: () => REFERENCE_STYLE },
    '/openapi.json': {
      type: JSON_TYPE,
      takesTool: true,
      render: (tool) => JSON.stringify(openApiDocument({ version }, tool)),
    },
    '/openapi-owner.json': { type: JSON_TYPE, render: () => JSON.stringify(ownerApiDocument({ version })) },
  };
  const made = new Map<string, StaticFile>();
  const fileOf = (path: string, { type, render }: Page, tool: string | undefined): StaticFile | undefined => {
    const key = tool === undefined ? path : `${path}?${tool}`;
    const text = made.has(key) ? undefined : render(tool);
    if (text !== undefined) made.set(key, staticFile(Buffer.from(text), type));
    return made.get(key);
  };
  return async (ctx, next) => {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (!page || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const { tool } = page.takesTool ? ctx.query : {};
    const file = fileOf(ctx.path, page, tool?.toString());
    if (!file) return await refuseTool(ctx, next);
    ctx.set(HEADERS);
    sendFile(ctx, file, compression);
  };
}

const refuseTool: Middleware = (ctx, next) =>
  answerNotFound(
    `tool is the name of one call of an agent: ${toolNames().join(', ')}. Over REST, GET state?wait=25 waits.`,
  )(ctx, next);
