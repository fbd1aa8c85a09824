import { type OwnerRoute, ownerRoutes, PERSON_ROLES, type PersonRole } from '@parley/core';
import { describe, expect, test } from 'vitest';
import { ask, createSession } from '../ask.ts';
import { addPerson, runPeopleApp, signInWith } from '../people-app.ts';
import { SESSION } from '../running-app.ts';

/** For each role: the routes that need this role. A role may also use the routes of the roles before it. */
const ALLOWED: Readonly<Record<PersonRole, readonly string[]>> = {
  viewer: [
    'GET /accounts',
    'GET /audit',
    'GET /audit/export',
    'GET /find',
    'GET /group',
    'GET /inbox',
    'GET /me',
    'GET /overview',
    'GET /people',
    'GET /sessions',
    'GET /sessions/{session_id}',
    'GET /sessions/{session_id}/artifact',
    'GET /sessions/{session_id}/blockers',
    'GET /sessions/{session_id}/board',
    'GET /sessions/{session_id}/brief',
    'GET /sessions/{session_id}/certificate',
    'GET /sessions/{session_id}/change-links',
    'GET /sessions/{session_id}/changes',
    'GET /sessions/{session_id}/diff',
    'GET /sessions/{session_id}/events',
    'GET /sessions/{session_id}/log',
    'GET /sessions/{session_id}/plan',
    'GET /sessions/{session_id}/records',
    'GET /sessions/{session_id}/report',
    'GET /sessions/{session_id}/revision',
    'GET /sessions/{session_id}/transcript',
    'GET /sessions/{session_id}/verify-log',
    'GET /sessions/{session_id}/view',
  ],
  operator: [
    'POST /moderator-entitlement',
    'POST /pause-all',
    'POST /resume-all',
    'POST /sessions',
    'POST /sessions/{session_id}/answer-question',
    'POST /sessions/{session_id}/appoint-author',
    'POST /sessions/{session_id}/ask',
    'POST /sessions/{session_id}/assign-action',
    'POST /sessions/{session_id}/carry-pass',
    'POST /sessions/{session_id}/direct',
    'POST /sessions/{session_id}/end',
    'POST /sessions/{session_id}/extend-rounds',
    'POST /sessions/{session_id}/grant-moderator',
    'POST /sessions/{session_id}/invite',
    'POST /sessions/{session_id}/link-change',
    'POST /sessions/{session_id}/mark-read',
    'POST /sessions/{session_id}/note-followup',
    'POST /sessions/{session_id}/pause',
    'POST /sessions/{session_id}/raise-quota',
    'POST /sessions/{session_id}/reassign-defect',
    'POST /sessions/{session_id}/refuse-step',
    'POST /sessions/{session_id}/request-changes',
    'POST /sessions/{session_id}/respond-recommendation',
    'POST /sessions/{session_id}/restore-moderator',
    'POST /sessions/{session_id}/resume',
    'POST /sessions/{session_id}/revoke',
    'POST /sessions/{session_id}/start',
    'POST /sessions/{session_id}/stop-moderator',
    'POST /sessions/{session_id}/unlink-change',
    'POST /sessions/{session_id}/waive-defect',
    'POST /sessions/{session_id}/withdraw-intervention',
  ],
  approver: [
    'DELETE /sessions/{session_id}',
    'GET /people/log',
    'GET /people/verify-log',
    'POST /accounts',
    'POST /accounts/{account_id}/change',
    'POST /accounts/{account_id}/close',
    'POST /accounts/{account_id}/reopen',
    'POST /people',
    'POST /people/{person_id}/revoke',
    'POST /people/{person_id}/readmit',
    'POST /people/{person_id}/role',
    'POST /sessions/{session_id}/approve-contract',
    'POST /sessions/{session_id}/authorize',
    'POST /sessions/{session_id}/bind-workflow',
    'POST /sessions/{session_id}/override-finding',
    'POST /sessions/{session_id}/override-review',
    'POST /sessions/{session_id}/release-hold',
    'POST /sessions/{session_id}/unbind-workflow',
  ],
};

const ROUTES = ownerRoutes();
const named = ({ method, path }: OwnerRoute): string => `${method} ${path}`;

test('the table has every route of the owner', () => {
  expect(Object.values(ALLOWED).flat().toSorted()).toEqual(ROUTES.map(named).toSorted());
});

/** For each route: the expected result for a role, which is `allowed` or the whole refusal. */
const expectedFor = (role: PersonRole) =>
  Object.fromEntries(
    ROUTES.map(named).map((route) => {
      const needed = PERSON_ROLES.find((one) => ALLOWED[one].includes(route)) ?? 'approver';
      const isAllowed = PERSON_ROLES.indexOf(role) >= PERSON_ROLES.indexOf(needed);
      const message = expect.stringMatching(
        new RegExp(`^[a-zA-Z]+ needs the role ${needed}; your role is ${role}\\.$`),
      );
      const onlyFirst = ONLY_FIRST.find(([routes]) => routes.test(route));
      const hint = 'Ask the holder of the owner key to make this call.';
      if (isAllowed && onlyFirst)
        return [route, { ...REFUSAL, message: onlyFirst[1], required_role: 'approver', hint }];
      return [route, isAllowed ? 'allowed' : { ...REFUSAL, message, required_role: needed }];
    }),
  );

/** The routes for which the owner key is needed, and the message of their refusal. */
const ONLY_FIRST = [
  [/^POST \/accounts/, 'Only the holder of the owner key can change accounts.'],
  [/^GET \/people\/./, 'Only the holder of the owner key can read the log of people, which covers all accounts.'],
] as const;

const REFUSAL = {
  ok: false,
  error: 'ROLE_FORBIDDEN',
  hint: 'Ask a person whose role allows this call to make it, or ask an approver to change your role.',
};

describe.each(['key', 'sign-in'] as const)('with a %s', (by) => {
  test.each(PERSON_ROLES)('%s', async (role) => {
    const { url, parley, people } = await runPeopleApp();
    const { key, headers: keyed } = await addPerson(url, `The ${role}`, role);
    const headers = by === 'key' ? keyed : await signInWith(url, key);
    const stored = async () => [await parley.owner('owner').listSessions(), await people.verifyLog()];
    const heard: Record<string, unknown> = {};
    for (const { method, path } of ROUTES) {
      const session = await createSession(url);
      const { id } = await addPerson(url, `Person of ${session}`, 'viewer');
      const address = path
        .replace('{session_id}', session)
        .replace('{person_id}', id)
        .replace('{account_id}', 'acc_xxxxxxxxxx');
      const before = await stored();
      const { status, json } = await ask(url, `/owner/api${address}${path.endsWith('/events') ? '?until=1' : ''}`, {
        method,
        headers,
        ...(method === 'POST' ? { body: path === '/sessions' ? SESSION : {} } : {}),
      });
      heard[`${method} ${path}`] = status === 403 ? json : 'allowed';
      expect(status).not.toBe(401);
      if (status === 403) expect(await stored()).toEqual(before);
    }
    expect(heard).toEqual(expectedFor(role));
  });
});
