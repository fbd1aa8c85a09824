import { randomBytes } from 'node:crypto';
import { createMemoryStorage, openPeople, type People, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createWalker,
  openProvider,
  type TestProvider,
  type Walker,
} from '../../../../test/support/openid-provider.ts';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import { parseRoles, type RoleMapping } from '../../src/server/company/role-mapping.ts';
import type { OwnerAppOptions } from '../../src/server/owner-app.ts';
import { ask } from '../ask.ts';
import { type RunningApp, runApp } from '../running-app.ts';

export const PUBLIC_URL = 'http://parley.example';

export const ROLES: RoleMapping = parseRoles('parley-admins=approver,developers=operator,everyone=viewer') ?? new Map();

export interface CompanyApp extends RunningApp {
  readonly people: People;
  readonly storage: Storage;
  /** The reasons why sign-ins at the provider have failed. */
  readonly faults: readonly string[];
}

/** Starts the app with people and further options. Two apps on the same storage behave like two processes. */
export async function runCompanyApp(
  options: Partial<OwnerAppOptions>,
  storage: Storage = createMemoryStorage(),
): Promise<CompanyApp> {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const faults: string[] = [];
  const onSignInFault = (reason: string): void => void faults.push(reason);
  const app = await runApp({ people, publicUrl: PUBLIC_URL, onSignInFault, ...options }, { storage });
  return { ...app, people, storage, faults };
}

export const oidcOf = (issuer: string) => ({
  issuer,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  scope: 'openid profile email',
  groupsClaim: 'groups',
  roles: ROLES,
  publicUrl: PUBLIC_URL,
});

/** Starts a provider with the account `ada` in the group `developers`, and the app that uses this provider. */
export async function runOidcApp(
  options: Partial<OwnerAppOptions> = {},
): Promise<CompanyApp & { readonly provider: TestProvider }> {
  const provider = await openProvider({ publicUrl: PUBLIC_URL });
  provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['developers', 'other'] });
  return { ...(await runCompanyApp({ oidc: oidcOf(provider.issuer), ...options })), provider };
}

/** The header of a request that a page of the console sends. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

/** Begins a sign-in as the console does. `walker` acts as the browser and keeps its cookies. */
export async function start(url: string, walker: Walker): Promise<{ authorization_url: string; page_secret: string }> {
  const response = await walker.go(`${url}/owner/api/sign-in/company`, { method: 'POST', headers: OWN_PAGE });
  return (await response.json()) as { authorization_url: string; page_secret: string };
}

/** Sends the browser back from the provider to the app, and returns the answer. */
export async function callBack(url: string, walker: Walker, address: string) {
  const response = await walker.go(address.replace(PUBLIC_URL, url), { headers: { accept: 'text/html' } });
  const text = await response.text();
  const said = /role="alert">(.*)<\/p>/.exec(text)?.[1] ?? '';
  return { status: response.status, headers: response.headers, text, said: said.replaceAll('&#39;', "'") };
}

/** Signs in up to the ticket. Returns functions that finish at a process, with a copy of the ticket each time. */
export async function copiedTicket(app: { readonly url: string }) {
  const walker = createWalker();
  const { authorization_url, page_secret } = await start(app.url, walker);
  const { headers } = await callBack(app.url, walker, await walker.signInAt(authorization_url, 'ada'));
  const ticket = headers.getSetCookie().find((line) => line.startsWith('parley_ticket=')) ?? '';
  return async ({ url }: { readonly url: string }) => {
    const sent = { ...OWN_PAGE, cookie: ticket.split(';')[0] ?? '' };
    const heard = await ask(url, '/owner/api/sign-in/finish', { headers: sent, body: { page_secret } });
    const cookie = heard.headers.getSetCookie().find((line) => line.startsWith('parley_owner=')) ?? '';
    const page = { cookie: cookie.split(';')[0] ?? '', 'parley-page-key': String(heard.json.page_key), ...OWN_PAGE };
    return { status: heard.status, page };
  };
}
