import { randomBytes } from 'node:crypto';
import { createMemoryStorage, openPeople, type People, type PersonRole, type Storage } from '@parley/core';
import { onTestFinished } from 'vitest';
import { makeOwnerKey } from '../src/server/access/owner-key.ts';
import { AS_OWNER, ask, ownerAt } from './ask.ts';
import { type RunningApp, runApp } from './running-app.ts';

export interface PeopleApp extends RunningApp {
  readonly people: People;
}

/** Starts the app with people. Two apps on the same storage behave like two processes. */
export async function runPeopleApp(storage: Storage = createMemoryStorage(), now?: () => number): Promise<PeopleApp> {
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  return { ...(await runApp({ people, ...(now ? { now } : {}) }, { storage })), people };
}

export interface AddedPerson {
  readonly id: string;
  readonly key: string;
  /** The headers with which a program sends `key`. */
  readonly headers: { readonly authorization: string };
}

/** Adds a person over HTTP, with the owner key. */
export async function addPerson(url: string, name: string, role: PersonRole, account?: string): Promise<AddedPerson> {
  const { person, key } = await ownerAt(url).call('addPerson', { name, role, account_id: account });
  return { id: person.person_id, key, headers: { authorization: `Bearer ${key}` } };
}

/** Adds an account over HTTP, with the owner key. Returns its id. */
export async function addAccount(url: string, name: string): Promise<string> {
  return (await ownerAt(url).call('addAccount', { name })).account.account_id;
}

/** Signs in with a key, and returns the headers that a page of the console sends afterwards. */
export async function signInWith(url: string, key: string): Promise<Record<string, string>> {
  const { headers, json } = await ask(url, '/owner/api/sign-in', {
    headers: { 'sec-fetch-site': 'same-origin' },
    body: { owner_key: key },
  });
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { cookie, 'parley-page-key': String(json.page_key), 'sec-fetch-site': 'same-origin' };
}

export const revoke = (url: string, id: string) =>
  ask(url, `/owner/api/people/${id}/revoke`, { headers: AS_OWNER, body: {} });
