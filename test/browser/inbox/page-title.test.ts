import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the title of a tab names what the session needs, and the session', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('approveContract'));
  const { sessionId } = await playAt(site, mission);
  const { title } = await site.owner.view(sessionId);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await expect.poll(() => page.title()).toBe(`(1) Approve r_2 · ${title}`);
  await page.getByRole('link', { name: 'Parley' }).click();
  await expect.poll(() => page.title()).toBe('(1) Parley');
});

test('the page of a session counts what waits for the owner without a poll', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('approveContract'));
  const { sessionId } = await playAt(site, mission);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.addInitScript('window.setInterval = () => 0');
  // Delays the script of the console until the request for the session is answered, as a slow connection does.
  const answered = page.waitForResponse(`**/api/sessions/${sessionId}`);
  await page.route('**/assets/index-*.js', async (route) => {
    await answered;
    await route.continue();
  });
  await openSession(page, site.url, sessionId);
  await page.getByRole('link', { name: '1 waits for you' }).waitFor();
});

test('the icon of a tab loads at every address', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  for (const path of ['', 'new', 'sessions/0123456789abcdefABCDEF', 'sessions/0123456789abcdefABCDEF/contract/']) {
    await page.goto(`${site.url}/owner/${path}`);
    const address: string = await page.evaluate(`document.querySelector('link[rel="icon"]').href`);
    const { status, headers } = await fetch(address);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/svg+xml']);
    await page.getByLabel('Owner key').waitFor();
  }
});
