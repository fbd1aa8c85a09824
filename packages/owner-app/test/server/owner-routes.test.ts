import { readFile } from 'node:fs/promises';
import { ownerListings } from '@parley/core';
import { expect, test } from 'vitest';
import { OWNER_ROUTES, operationRoute } from '../../src/server/api/owner-routes.ts';
import { ownerApiDocument } from '../../src/server/reference/open-api.ts';

const ROUTES = Object.values(OWNER_ROUTES).map(({ method, path }) => `${method} ${path}`);

test('the table has the routes of the owner beside its operations', () => {
  expect(ROUTES).toEqual([
    'GET /me',
    'GET /overview',
    'GET /inbox',
    'GET /find',
    'GET /audit',
    'GET /audit/export',
    'POST /moderator-entitlement',
    'POST /pause-all',
    'POST /resume-all',
    'GET /people',
    'POST /people',
    'POST /people/{person_id}/role',
    'POST /people/{person_id}/revoke',
    'POST /people/{person_id}/readmit',
    'GET /accounts',
    'POST /accounts',
    'POST /accounts/{account_id}/change',
    'POST /accounts/{account_id}/close',
    'POST /accounts/{account_id}/reopen',
    'GET /people/verify-log',
    'GET /people/log',
    'GET /sessions',
    'POST /sessions',
    'GET /sessions/{session_id}',
    'DELETE /sessions/{session_id}',
    'GET /sessions/{session_id}/verify-log',
    'GET /sessions/{session_id}/log',
    'GET /sessions/{session_id}/events',
  ]);
});

test('an operation that reads is a GET, one that writes is a POST', () => {
  expect(operationRoute({ name: 'listBlockers', effect: 'read' })).toMatchObject({
    method: 'GET',
    path: '/sessions/{session_id}/list-blockers',
    operationId: 'owner_list_blockers',
  });
  expect(operationRoute({ name: 'extendRounds', effect: 'write' })).toMatchObject({
    method: 'POST',
    path: '/sessions/{session_id}/extend-rounds',
  });
});

test('no route is served twice, and none shadows an operation', () => {
  const all = [...ROUTES, ...ownerListings.map(operationRoute).map(({ method, path }) => `${method} ${path}`)];
  expect(new Set(all).size).toBe(all.length);
});

test('the OpenAPI document has each route of the table', () => {
  const { paths } = ownerApiDocument({ version: '1.2.3' });
  for (const { method, path, operationId } of Object.values(OWNER_ROUTES)) {
    expect(Object(paths)[`/owner/api${path}`][method.toLowerCase()]).toMatchObject({ operationId });
  }
});

test('the README names each route of the table', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  for (const { method, path } of Object.values(OWNER_ROUTES)) {
    expect(readme).toContain(`| \`${method} /owner/api${path.replace('{session_id}', '{id}')}`);
  }
});
