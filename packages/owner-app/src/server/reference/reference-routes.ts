import { describeOperations, type OperationReference } from '@parley/core';
import { kebabCase } from '@parley/core/routes';
import { answerNotFound } from '@parley/http-host';
import type { Middleware } from 'koa';
import { type StaticFile, sendFile, staticFile } from '../console-routes.ts';
import { escaped, htmlPage } from '../html.ts';
import { openApiDocument, ownerApiDocument, toolNames } from './open-api.ts';

const CODE = (text: string): string => `<code>${escaped(text)}</code>`;

/** The API reference as an HTML page without scripts. */
function referencePage(version: string): string {
  const { agents, owner } = describeOperations();
  return htmlPage(
    `<meta name="color-scheme" content="light dark">
<title>Parley API</title>
<link rel="stylesheet" href="/docs/style.css">`,
    `<main>
<h1>Parley ${escaped(version)}: API reference</h1>
<p>Agents work below ${CODE('/api/public/agent')} (REST) and at ${CODE('/api/public/mcp')} (MCP, a tool for each row), with a session token.
The owner works below ${CODE('/owner/api')} with the owner key. For programs (OpenAPI 3.1): <a href="/openapi.json">openapi.json</a>, and of the owner <a href="/openapi-owner.json">openapi-owner.json</a>.</p>
<h2 id="agents">Agents</h2>
${agents.map(agentSection).join('\n')}
<h2 id="owner">The owner, on one session</h2>
${owner.map(ownerSection).join('\n')}
</main>`,
  );
}

function agentSection(operation: OperationReference): string {
  const { routes, access, phases } = operation;
  const ways = routes.map(({ by, method, path }) => `${escaped(by)}: ${CODE(`${method} ${path}`)}`);
  const grants = [
    access.builder ? `scope ${CODE(access.builder)}` : '',
    typeof access.moderator === 'string' ? `permission ${CODE(access.moderator)}` : '',
    phases.length > 0 ? `works in ${escaped(phases.join(', '))}` : '',
  ].filter((text) => text !== '');
  return section(operation, [ways.length > 0 ? ways.join(', ') : 'MCP only', ...grants].join('; '));
}

const ownerSection = (operation: OperationReference): string =>
  section(
    operation,
    CODE(`${operation.isRead ? 'GET' : 'POST'} /owner/api/sessions/{session_id}/${kebabCase(operation.name)}`),
  );

function section({ name, summary, input, errors }: OperationReference, facts: string): string {
  const { properties = {}, required = [] } = input;
  const rows = Object.entries(properties).map(([member, schema]) => {
    const { description = '' } = schema;
    return `<tr><td>${CODE(required.includes(member) ? member : `${member}?`)}</td><td>${escaped(String(description))}</td></tr>`;
  });
  const table = rows.length > 0 ? `<table><tbody>${rows.join('')}</tbody></table>` : '';
  const codes = errors.length > 0 ? `<p>Refused with ${errors.map(CODE).join(', ')}.</p>` : '';
  return `<section id="${escaped(name)}"><h3>${CODE(name)}</h3><p>${escaped(summary)}</p><p>${facts}</p>${table}${codes}</section>`;
}

const REFERENCE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
section { border-top: 1px solid #8884; padding: 0.75rem 0; }
h3, p { margin: 0.25rem 0; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
td { padding: 0.2rem 0.9rem 0.2rem 0; vertical-align: top; }
`;

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
