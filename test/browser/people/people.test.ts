import { randomBytes } from 'node:crypto';
import { openPeople } from '@parley/core';
import { loadMission } from '@parley/missions';
import { makeOwnerKey, OWNER_ID } from '@parley/owner-app';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

/** Adds a person in the console. Returns the key that the dialog shows. */
async function addAt(page: Page, site: Site, name: string, role: string): Promise<string> {
  await page.goto(`${site.url}/owner/people`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Role', { exact: true }).selectOption(role);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `The key of ${name}` });
  const key = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have passed the key on' }).click();
  return key;
}

async function signInWith(page: Page, site: Site, key: string): Promise<void> {
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
}

test('a viewer who is added reads everything, approves nothing, and is out when the key is revoked', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const first = await openPage();
  await signIn(first.page, site.url);
  await first.page.getByRole('link', { name: 'Owner (approver)' }).waitFor();
  const key = await addAt(first.page, site, 'Vera', 'viewer');
  expect(key).toMatch(/^pok_[\w-]{43}$/);

  const { page, errors } = await openPage();
  await signInWith(page, site, key);
  await page.getByRole('link', { name: 'Vera (viewer)' }).waitFor();
  await page.getByText('You are signed in as a viewer').waitFor();
  await openSession(page, site.url, sessionId, 'Contract');
  const approve = page.getByRole('button', { name: 'Approve…' });
  await approve.waitFor();
  await expect.poll(() => approve.isDisabled()).toBe(true);
  await expect.poll(() => page.getByRole('button', { name: 'Request changes…', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Vera (viewer)' }).click();
  await page.getByText('To change people, you need the role approver.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);

  await openSession(page, site.url, sessionId);
  await first.page.getByRole('button', { name: 'Revoke the key…' }).click();
  await first.page.getByRole('button', { name: 'Yes, revoke it' }).click();
  await first.page.getByText('1 revoked').waitFor();
  await page.getByLabel('Owner key').waitFor();
  expect(errors.filter((error) => !String(error).includes('401'))).toEqual([]);
});

test('the page shows what a revoked person leaves behind, and ends it', async () => {
  const site = await openSite(openMemory());
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  const key = await addAt(page, site, 'Olga', 'operator');
  const me = await fetch(`${site.url}/owner/api/me`, { headers: { authorization: `Bearer ${key}` } });
  const id = String(Object(await me.json()).id);
  const olga = site.parley.owner(OWNER_ID, { person: { id, name: 'Olga', role: 'operator' } });
  const { session_id: session } = await olga.createSession({
    title: 'Refunds',
    objective: 'Refunds are idempotent.',
    requirements: [{ requirement_id: 'R1', text: 'A refund happens once.' }],
  });
  const { token } = await site.parley.redeem({ code: (await olga.invite(session, { role: 'agent_a' })).code });
  await olga.invite(session, { role: 'agent_b' });
  await page.getByRole('button', { name: 'Revoke the key…' }).click();
  await page.getByRole('button', { name: 'Yes, revoke it' }).click();
  const left = page.getByRole('region', { name: 'What Olga leaves behind' });
  await left.getByText('is refused').waitFor();
  await left.getByText('is valid until').waitFor();
  await left.getByRole('link', { name: 'Refunds' }).first().waitFor();
  await expect(site.parley.agent(token).call('read_task')).resolves.toMatchObject({ your_role: 'agent_a' });
  await left.getByRole('button', { name: 'End this access…' }).click();
  await left.getByRole('button', { name: 'Yes, end it' }).click();
  await left.getByText('Ended: 2 codes and tokens.').waitFor();
  await expect(site.parley.agent(token).call('read_task')).rejects.toMatchObject({ code: 'TOKEN_REVOKED' });
  await left.getByRole('button', { name: 'Close' }).click();
  await left.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});

test('the page shows what a company account leaves behind whose groups took rights', async () => {
  const storage = openMemory();
  const site = await openSite(storage);
  const people = openPeople({ storage, makeKey: makeOwnerKey, random: randomBytes });
  onTestFinished(() => people.close());
  const subject = 'https://login.example.com 7';
  const person = await people.admit({ subject, name: 'Olga', role: 'operator' });
  const { session_id: session } = await site.owner.createSession({
    title: 'Refunds',
    objective: 'Refunds are idempotent.',
    requirements: [{ requirement_id: 'R1', text: 'A refund happens once.' }],
  });
  const { code } = await site.parley.owner(OWNER_ID, { person }).invite(session, { role: 'agent_a' });
  await site.parley.redeem({ code });
  await people.admit({ subject, name: 'Olga', role: 'viewer' });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/people`);
  const left = page.getByRole('region', { name: 'What Olga leaves behind' });
  const ask = page.getByRole('button', { name: 'What is left behind…' });
  await ask.click();
  await left.getByText('is valid until').waitFor();
  await left.getByRole('button', { name: 'End this access…' }).click();
  await left.getByRole('button', { name: 'Yes, end it' }).click();
  await left.getByText('Ended: 1 code or token.').waitFor();
  await ask.click();
  await left.getByText('Nothing: no approval, no code, no token, no person.').waitFor();
  expect(errors).toEqual([]);
});

test('a service without people says so and offers no form to add a person', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await signIn(page, site.url);
  const json = { error: 'NOT_FOUND', message: 'This service has no people.', hint: 'Sign in with the owner key.' };
  await page.route('**/owner/api/people', (route) => route.fulfill({ status: 404, json }));
  await page.goto(`${site.url}/owner/people`);
  await page.getByText('This service has no people. Sign in with the owner key.').waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
});

test('two approvers approve a contract of which the session requires two, and the transcript names both', async () => {
  const site = await openSite(openMemory());
  const mission = await loadMission('payment-capture');
  const session = { ...mission.session, required_approvals: 2 as const };
  const { sessionId } = await playAt(site, upTo({ ...mission, session }, calls('approveContract')));
  const { page } = await openPage();
  await signIn(page, site.url);
  const key = await addAt(page, site, 'Ada', 'approver');
  const other = await openPage();
  await signInWith(other.page, site, key);
  for (const one of [page, other.page]) {
    await openSession(one, site.url, sessionId, 'Contract');
    await one.getByRole('button', { name: 'Approve…' }).click();
    const dialog = one.getByRole('dialog');
    const hash = (await dialog.locator('.full-hash code').textContent()) ?? '';
    await dialog.getByRole('textbox').fill(hash.slice(0, 8));
    await dialog.getByRole('button', { name: /^Approve/ }).click();
    await dialog.waitFor({ state: 'hidden' });
  }
  await openSession(page, site.url, sessionId);
  const feed = page.getByRole('feed', { name: 'Messages' });
  await feed.getByText('Ada (owner)').first().waitFor();
  await feed.getByText('another approver must approve it too').first().waitFor();
  expect((await site.owner.view(sessionId)).state.phase).toBe('READINESS');

  // The transcript names the approver `You` only to the approver.
  const speakers = (one: Page) =>
    one.getByRole('feed', { name: 'Messages' }).locator('.role.owner').filter({ visible: true }).allTextContents();
  await expect.poll(async () => new Set(await speakers(page))).toEqual(new Set(['You', 'Ada (owner)']));
  await openSession(other.page, site.url, sessionId);
  await expect.poll(async () => new Set(await speakers(other.page))).toEqual(new Set(['Owner', 'You']));

  await openSession(page, site.url, sessionId, 'Contract');
  const manifest = page.getByRole('region', { name: /^Manifest m_1/ });
  await manifest.getByText(/^Contract approved by Owner, .* and Ada, /).waitFor();
});
