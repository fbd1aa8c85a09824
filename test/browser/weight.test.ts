import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { goToTab, message, openSession, signIn } from './support/console.ts';
import { playLong } from './support/long-session.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

/** Bytes of all answers that the page has loaded since its navigation, and the number of these answers. */
const transferred = (page: Page): Promise<{ bytes: number; answers: number }> =>
  page.evaluate(`(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return { bytes: all.reduce((sum, { transferSize }) => sum + transferSize, 0), answers: all.length };
  })()`);

test('the first page is light, also where it is a session', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  const start = performance.now();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill('x');
  const interactiveMs = performance.now() - start;
  const first = await transferred(page);
  console.log(
    `first page: ${first.bytes} bytes in ${first.answers} answers, takes input after ${interactiveMs.toFixed(0)} ms`,
  );
  expect(first.answers).toBeGreaterThanOrEqual(3);
  expect(first.bytes).toBeGreaterThan(5_000);
  expect(first.bytes).toBeLessThanOrEqual(150_000);
});

test('a session of 5,000 events and 100 revisions opens', async () => {
  const site = await openSite(openMemory());
  const { sessionId, events } = await playLong(site.parley, site.owner);
  expect(events).toBeGreaterThanOrEqual(5_000);
  const { page } = await openPage();
  await signIn(page, site.url);
  const start = performance.now();
  await openSession(page, site.url, sessionId);
  const liveMs = performance.now() - start;
  await message(page, 'The last word.').waitFor();
  const shownMs = performance.now() - start;
  const { bytes } = await transferred(page);
  const contractStart = performance.now();
  await goToTab(page, 'Contract');
  await page.getByRole('button', { name: 'Request changes' }).waitFor();
  const contractMs = performance.now() - contractStart;
  console.log(
    `${events} events and 100 revisions: live after ${liveMs.toFixed(0)} ms, the last message shown after ${shownMs.toFixed(0)} ms (${bytes} bytes), the contract after ${contractMs.toFixed(0)} ms`,
  );
  expect(await page.evaluate("document.getElementsByTagName('*').length")).toBeLessThan(20_000);
});
