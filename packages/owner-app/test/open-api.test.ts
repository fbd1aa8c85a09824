import { describeOperations, ERROR_KINDS } from '@parley/core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../src/reference/open-api.ts';
import { ask } from './ask.ts';
import { runApp } from './running-app.ts';

const document = openApiDocument({ version: '1.2.3' });
const paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = Object(document.paths);

const served = Object.entries(paths).flatMap(([path, item]) =>
  ['get', 'post', 'delete'].filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
);

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone({ ...document }))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('has below the two public prefixes the rows of the specification and nothing else', () => {
    const rows = describeOperations().agents.flatMap(({ routes }) =>
      routes.map(({ by, method, path }) =>
        by === 'anyone'
          ? `${method} /api/public/agent${path}`
          : `${method} /api/public/agent/sessions/{session_id}/${path}`,
      ),
    );
    const agents = served.filter((route) => route.includes('/api/public/'));
    const mcp = ['POST /api/public/mcp', 'POST /api/public/mcp/{token}'];
    expect(agents.toSorted()).toEqual([...new Set(rows), ...mcp].toSorted());
    // 47 of builders and 22 of moderators, 8 of them shared, and two without a token.
    expect(new Set(rows).size).toBe(63);
  });

  test('gives a shared route the answers of both roles', () => {
    const { get } = Object(paths['/api/public/agent/sessions/{session_id}/findings']);
    expect(get.tags).toEqual(['builder', 'moderator']);
    expect(get.operationId).toBe('list_findings_or_get_moderator_findings');
  });

  test('names every operation once', () => {
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((entry) => Object(entry).operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('names only codes of the catalogue, under their status', () => {
    const { post } = Object(paths['/api/public/agent/sessions/{session_id}/turns']);
    expect(post.responses['409'].description.split(', ')).toContain('NOT_YOUR_TURN');
    expect(post.responses['429'].description).toBe('RATE_LIMITED');
    expect(Object(document.components).schemas.Error.properties.error.enum).toEqual(Object.keys(ERROR_KINDS));
  });
});

describe('the reference of a running server', () => {
  test('is at /openapi.json, with its version', async () => {
    const { url } = await runApp();
    const { status, json, headers } = await ask(url, '/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(json).toMatchObject({ openapi: '3.1.1', info: { title: 'Parley' } });
  });

  test('is a page at /docs that loads its style and nothing else', async () => {
    const { url } = await runApp();
    const { status, text, headers } = await ask(url, '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(text).toContain('<section id="accept_decision"><h3><code>accept_decision</code></h3>');
    expect(text).toContain('<section id="approveContract"><h3><code>approveContract</code></h3>');
    expect(text).not.toMatch(/<script|style=|https?:\/\//);
    expect((await ask(url, '/docs/style.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });
});
