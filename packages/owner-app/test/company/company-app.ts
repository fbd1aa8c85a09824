import { randomBytes } from 'node:crypto';
import { createMemoryStorage, openPeople, type People, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET, openProvider, type TestProvider } from '../../../../test/support/openid-provider.ts';
import { makeOwnerKey } from '../../src/server/access/owner-key.ts';
import { parseRoles, type RoleMapping } from '../../src/server/company/role-mapping.ts';
import type { OwnerAppOptions } from '../../src/server/owner-app.ts';
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
