import type { OwnerListing } from '@parley/core';
import { kebabCase, ownerRoute } from '@parley/core/routes';
import type { JsonRoute, OwnerRequest, OwnerRoute } from './owner-route.ts';

/** Where the clients send a call. */
function at(call: string): Pick<OwnerRoute, 'method' | 'path'> {
  const [method, path = ''] = ownerRoute(call).split(' ');
  return { method: method === 'GET' || method === 'DELETE' ? method : 'POST', path };
}

/**
 * The routes of the owner that are not derived from operations, in the order of the OpenAPI document. The router, the
 * OpenAPI document and the commands use this table.
 */
export const OWNER_ROUTES = {
  whoAmI: {
    ...at('whoAmI'),
    operationId: 'who_am_i',
    describedBy: { method: 'whoAmI' },
    run: async ({ owner, ownAccount }) => {
      const [me, account] = await Promise.all([owner.whoAmI(), ownAccount()]);
      return account ? { ...me, account } : me;
    },
  },
  overview: {
    ...at('overview'),
    operationId: 'overview',
    describedBy: { method: 'overview' },
    run: ({ owner, query }) => owner.overview(pageOf(query)),
  },
  inbox: {
    ...at('inbox'),
    operationId: 'inbox',
    describedBy: { method: 'inbox' },
    run: ({ owner, query }) => owner.inbox(pageOf(query)),
  },
  find: {
    ...at('find'),
    operationId: 'find',
    describedBy: { method: 'find' },
    run: ({ owner, query }) => owner.find(query),
  },
  audit: {
    ...at('audit'),
    operationId: 'audit',
    describedBy: { method: 'audit' },
    run: ({ owner, query }) => owner.audit(pageOf(query)),
  },
  exportAudit: {
    ...at('exportAudit'),
    operationId: 'export_audit',
    streams: 'audit',
  },
  setModeratorEntitlement: {
    ...at('setModeratorEntitlement'),
    operationId: 'set_moderator_entitlement',
    describedBy: { method: 'setModeratorEntitlement' },
    run: async ({ owner, readBody }) => owner.setModeratorEntitlement(await readBody()),
  },
  pauseAll: {
    ...at('pauseAll'),
    operationId: 'pause_all',
    describedBy: { method: 'pauseAll' },
    run: async ({ owner, readBody }) => owner.pauseAll(await readBody()),
  },
  resumeAll: {
    ...at('resumeAll'),
    operationId: 'resume_all',
    describedBy: { method: 'resumeAll' },
    run: async ({ owner, readBody }) => owner.resumeAll(await readBody()),
  },
  listPeople: {
    ...at('listPeople'),
    operationId: 'list_people',
    describedBy: { people: 'listPeople' },
    run: ({ people }) => people().listPeople(),
  },
  addPerson: {
    ...at('addPerson'),
    operationId: 'add_person',
    describedBy: { people: 'addPerson' },
    run: async ({ people, readBody }) => people().addPerson(await readBody()),
  },
  setPersonRole: {
    ...at('setPersonRole'),
    operationId: 'set_person_role',
    describedBy: { people: 'setPersonRole' },
    run: async ({ people, personId, readBody }) => people().setPersonRole(personId, await readBody()),
  },
  revokePerson: {
    ...at('revokePerson'),
    operationId: 'revoke_person',
    describedBy: { people: 'revokePerson' },
    run: async ({ people, personId, readBody }) => people().revokePerson(personId, await readBody()),
  },
  readmitPerson: {
    ...at('readmitPerson'),
    operationId: 'readmit_person',
    describedBy: { people: 'readmitPerson' },
    run: ({ people, personId }) => people().readmitPerson(personId),
  },
  listAccounts: {
    ...at('listAccounts'),
    operationId: 'list_accounts',
    describedBy: { people: 'listAccounts' },
    run: ({ people }) => people().listAccounts(),
  },
  addAccount: {
    ...at('addAccount'),
    operationId: 'add_account',
    describedBy: { people: 'addAccount' },
    run: async ({ people, readBody }) => people().addAccount(await readBody()),
  },
  changeAccount: {
    ...at('changeAccount'),
    operationId: 'change_account',
    describedBy: { people: 'changeAccount' },
    run: async ({ people, accountId, readBody }) => people().changeAccount(accountId, await readBody()),
  },
  closeAccount: {
    ...at('closeAccount'),
    operationId: 'close_account',
    describedBy: { people: 'closeAccount' },
    run: async ({ people, accountId, readBody }) => people().closeAccount(accountId, await readBody()),
  },
  reopenAccount: {
    ...at('reopenAccount'),
    operationId: 'reopen_account',
    describedBy: { people: 'reopenAccount' },
    run: ({ people, accountId }) => people().reopenAccount(accountId),
  },
  verifyPeopleLog: {
    ...at('verifyPeopleLog'),
    operationId: 'verify_people_log',
    describedBy: { people: 'verifyPeopleLog' },
    run: ({ people }) => people().verifyPeopleLog(),
  },
  exportPeopleLog: {
    ...at('exportPeopleLog'),
    operationId: 'export_people_log',
    streams: 'people',
  },
  listSessions: {
    ...at('listSessions'),
    operationId: 'list_sessions',
    describedBy: { method: 'listSessions' },
    run: ({ owner, query }) => owner.listSessions(pageOf(query)),
  },
  createSession: {
    ...at('createSession'),
    operationId: 'create_session',
    describedBy: { method: 'createSession' },
    run: async ({ owner, readBody }) => owner.createSession(await readBody()),
  },
  viewSession: {
    ...at('view'),
    operationId: 'view_session',
    describedBy: { operation: 'view' },
    run: ({ owner, sessionId, query }) => owner.call('view', sessionId, query),
  },
  deleteSession: {
    ...at('deleteSession'),
    operationId: 'delete_session',
    describedBy: { method: 'deleteSession' },
    run: ({ owner, sessionId }) => owner.deleteSession(sessionId),
  },
  verifyLog: {
    ...at('verifyLog'),
    operationId: 'session_verify_log',
    describedBy: { method: 'verifyLog' },
    run: ({ owner, sessionId }) => owner.verifyLog(sessionId),
  },
  log: {
    method: 'GET',
    path: '/sessions/{session_id}/log',
    operationId: 'session_log',
    streams: 'log',
  },
  events: {
    method: 'GET',
    path: '/sessions/{session_id}/events',
    operationId: 'session_events',
    streams: 'events',
  },
} as const satisfies Readonly<Record<string, OwnerRoute>>;

/** The route of an owner operation: a GET with a query for a read, a POST with a body for a write. */
export const operationRoute = ({ name, effect }: Pick<OwnerListing, 'name' | 'effect'>): JsonRoute => ({
  method: effect === 'read' ? 'GET' : 'POST',
  path: `/sessions/{session_id}/${kebabCase(name)}`,
  operationId: `owner_${kebabCase(name).replaceAll('-', '_')}`,
  describedBy: { operation: name },
  run: async ({ owner, sessionId, query, readBody }) =>
    owner.call(name, sessionId, effect === 'read' ? query : await readBody()),
});

/**
 * Converts `limit` to a number, because a query contains only texts. A text that is not a number stays unchanged, so
 * that core refuses it.
 */
function pageOf({ limit, ...page }: OwnerRequest['query']): Readonly<Record<string, unknown>> {
  return limit === undefined ? page : { ...page, limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit };
}
