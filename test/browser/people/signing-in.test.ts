import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { OWNER_KEY, openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

describe('signing in', () => {
  test('with a wrong key says so, and what is right opens the sessions', async () => {
    const site = await openSite(openMemory());
    const { page, errors } = await openPage();
    await page.goto(`${site.url}/owner/`);
    await page.getByLabel('Owner key').fill(`pok_${'x'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The owner key is wrong.');
    await signIn(page, site.url);
    await expect.poll(() => page.getByText('No session yet.').isVisible()).toBe(true);
    expect(errors).toEqual([]);
  });

  test('lasts over a reload, in a cookie that scripts cannot read, and until signing out', async () => {
    const site = await openSite(openMemory());
    const { page } = await openPage();
    await signIn(page, site.url);
    expect(
      await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain('pok_');
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Owner key').waitFor();
    await page.reload();
    await page.getByLabel('Owner key').waitFor();
    await expect.poll(() => page.getByText('Your sign-in has ended.').count()).toBe(0);
  });

  test('holds in every tab, and signing out of one signs out of all, live pages too', async () => {
    const site = await openSite(openMemory());
    const { session_id: sessionId } = await site.owner.createSession(SESSION);
    const { page, errors } = await openPage();
    const tab = await page.context().newPage();
    await tab.goto(`${site.url}/owner/sessions/${sessionId}`);
    await tab.getByLabel('Owner key').waitFor();
    await signIn(page, site.url);
    await tab
      .getByRole('status')
      .filter({ hasText: /^live$/ })
      .waitFor();
    await expect.poll(() => site.parley.heldPolls()).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('Owner key').waitFor();
    await expect.poll(() => site.parley.heldPolls()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('outlives a restart of the server', async () => {
    const storage = openMemory();
    const first = await openSite(storage);
    const { page } = await openPage();
    await signIn(page, first.url);
    await first.die();
    await openSite(storage, { port: Number(new URL(first.url).port) });
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });

  test('over twelve hours ends a live page at the server, and asks for the key again', async () => {
    let now = Date.now();
    const site = await openSite(openMemory(), { now: () => now });
    const { session_id: sessionId } = await site.owner.createSession(SESSION);
    const { page } = await openPage();
    await signIn(page, site.url);
    now += 12 * 3_600_000 - 3_000;
    await openSession(page, site.url, sessionId);
    now += 3_000;
    await page.getByRole('status').getByText('Your sign-in has ended.').waitFor();
    await expect.poll(() => site.parley.heldPolls()).toBe(0);
    await page.getByLabel('Owner key').fill(OWNER_KEY);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: SESSION.title, level: 1 }).waitFor();
  });

  test('signs out of a page whose server is gone', async () => {
    const site = await openSite(openMemory());
    const { page, errors } = await openPage();
    await signIn(page, site.url);
    await site.die();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Owner key').waitFor();
    await expect.poll(() => page.evaluate('localStorage.getItem("parley-page-key")')).toBeNull();
    expect(errors).toEqual([]);
  });
});

test('a log is saved as a file, whole', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Log');
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as JSON lines' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe(`${sessionId}.jsonl`);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(JSON.parse(lines[0] ?? '').event)).toMatchObject({ seq: 1, kind: 'session.created' });
});
