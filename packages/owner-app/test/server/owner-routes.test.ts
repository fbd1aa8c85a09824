import { ownerListings, ownerRoutes } from '@parley/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ownerApiDocument } from '../../src/server/reference/open-api.ts';

const named = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
/** The routes beside one for each operation: those of no operation, and the short route of the view. */
const FURTHER = ownerRoutes().filter(({ of, path }) => of !== 'session' || path === '/sessions/{session_id}');

test('the list has the routes of the owner beside its operations', () => {
  expect(FURTHER.map(named)).toEqual([
    'GET /me',
    'GET /overview',
    'GET /inbox',
    'GET /group',
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
  const operation = { summary: '', roleNeeded: 'viewer', input: z.strictObject({}) } as const;
  const routes = ownerRoutes([
    { ...operation, name: 'listBlockers', effect: 'read' },
    { ...operation, name: 'extendRounds', effect: 'write' },
  ]);
  expect(routes.slice(-2).map(named)).toEqual([
    'GET /sessions/{session_id}/list-blockers',
    'POST /sessions/{session_id}/extend-rounds',
  ]);
});

test('no route is served twice, and each operation has one', () => {
  const all = ownerRoutes().map(named);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(FURTHER.length + ownerListings.length);
});

test('the OpenAPI document has each route of the list', () => {
  const { paths } = ownerApiDocument({ version: '1.2.3' });
  for (const { method, path } of ownerRoutes())
    expect(Object(paths)[`/owner/api${path}`][method.toLowerCase()]).toMatchObject({ operationId: expect.any(String) });
});
