import { createServer } from 'node:net';
import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { CLIENT_ID, CLIENT_SECRET, openProvider } from '../../support/openid-provider.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { DATABASES, openDatabase, openMemory } from '../support/storages.ts';

const ROLES = new Map([
  ['parley-admins', 'approver'],
  ['developers', 'operator'],
] as const);

/** Finds a free port, because the provider is configured with the address of the service before the service listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = Object(server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function openCompany(storage: Parameters<typeof openSite>[0]) {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await openProvider({ publicUrl });
  provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['developers'] });
  const oidc = {
    issuer: provider.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    scope: 'openid profile email',
    groupsClaim: 'groups',
    roles: ROLES,
    publicUrl,
  };
  return { site: await openSite(storage, { port, app: { oidc, publicUrl } }), provider };
}

/** Starts the sign-in at the console, and fills in the form of the provider. */
async function signInAtProvider(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await page.getByPlaceholder('Enter any login').fill(account);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

async function signOutEverywhere(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByLabel('Owner key').waitFor();
}

const approveIn = async (page: Page, site: Site, sessionId: string) => {
  await openSession(page, site.url, sessionId, 'Contract');
  const approve = page.getByRole('button', { name: 'Approve…' });
  await approve.waitFor();
  return approve;
};

describe.each(DATABASES)('a company account, on $name', (database) => {
  test('signs in with the role of its groups, acts under its name, and is out when it is revoked', async () => {
    const connect = await openDatabase(database);
    const { site, provider } = await openCompany(await connect());
    const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
    const { page, errors } = await openPage();
    await page.goto(`${site.url}/owner/sessions/${sessionId}/contract`);
    await signInAtProvider(page, 'ada');

    // The sign-in leads back to the page on which it began.
    await page.getByRole('link', { name: 'Ada Lovelace (operator)' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/owner/sessions/${sessionId}/contract`);
    expect(await (await approveIn(page, site, sessionId)).isDisabled()).toBe(true);
    await openSession(page, site.url, sessionId);
    await page.getByRole('button', { name: 'Pause…' }).click();
    await page.getByLabel('Reason').fill('Until the incident is over.');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('PAUSED', { exact: true }).first().waitFor();
    await site.owner.call('resume', sessionId);

    provider.accounts.set('ada', { name: 'Ada Lovelace', groups: ['parley-admins'] });
    await signOutEverywhere(page);
    await signInAtProvider(page, 'ada');
    await page.getByRole('link', { name: 'Ada Lovelace (approver)' }).waitFor();
    expect(await (await approveIn(page, site, sessionId)).isDisabled()).toBe(false);

    const owner = await openPage();
    await signIn(owner.page, site.url);
    await openSession(owner.page, site.url, sessionId);
    const feed = owner.page.getByRole('feed', { name: 'Messages' });
    await feed.getByText('Ada Lovelace (owner)').first().waitFor();
    await owner.page.goto(`${site.url}/owner/people`);
    await owner.page.getByText(`Company account ${provider.issuer} ada`).waitFor();
    await openSession(page, site.url, sessionId);
    await owner.page.getByRole('button', { name: 'Revoke…' }).click();
    await owner.page.getByRole('button', { name: 'Yes, revoke it' }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();

    await page.goto(`${site.url}/owner/`);
    await page.getByRole('button', { name: 'Sign in with your company account' }).click();
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    await page.getByText('were revoked, so your company account cannot sign in').waitFor();
    await owner.page.getByText('1 revoked').click();
    await owner.page.getByRole('button', { name: 'Readmit…' }).click();
    await owner.page.getByRole('button', { name: 'Yes, readmit' }).click();
    await owner.page.getByText('may sign in again').first().waitFor();
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await page.getByRole('button', { name: 'Sign in with your company account' }).click();
    await page.getByRole('link', { name: 'Ada Lovelace (approver)' }).waitFor();
    expect(errors.filter((error) => !/40[13]/.test(String(error)))).toEqual([]);
    expect(site.failures).toEqual([]);
  });
});

test('a sign-in that is given up at the provider leaves the page as it was, and says why', async () => {
  const { site, provider } = await openCompany(openMemory());
  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('did not sign you in (access_denied)').waitFor();
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
  await page.getByLabel('Owner key').waitFor();
  expect(await page.evaluate('Object.keys(localStorage)')).toEqual(['parley-theme']);
  await provider.close();
});

test('a page whose sign-in has ended signs in again in another tab, and goes on', async () => {
  const { site } = await openCompany(openMemory());
  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await signInAtProvider(page, 'ada');
  await page.getByRole('link', { name: 'Ada Lovelace (operator)' }).waitFor();
  await page.evaluate('localStorage.setItem("parley-page-key", "x".repeat(43))');
  await page.reload();
  await page.getByLabel('Owner key').waitFor();
  const tab = await page.context().newPage();
  await tab.goto(`${site.url}/owner/`);
  await tab.getByRole('button', { name: 'Sign in with your company account' }).click();
  await tab.getByRole('link', { name: 'Ada Lovelace (operator)' }).waitFor();
  await page.getByRole('link', { name: 'Ada Lovelace (operator)' }).waitFor();
});

test('a service without company accounts asks for a key only', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').waitFor();
  expect(await page.getByText('company account').count()).toBe(0);
});
