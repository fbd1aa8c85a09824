import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { signIn } from './support/console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

test('a page whose reads are refused with 429 says when it reads again, and sends no read before', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await page.clock.install({ time: new Date('2026-01-05T09:00:00Z') });
  await signIn(page, site.url);
  let isLimited = true;
  const refused: string[] = [];
  await page.route('**/owner/api/**', (route) => {
    if (!isLimited) return route.continue();
    refused.push(new URL(route.request().url()).pathname);
    const body = { error: 'RATE_LIMITED', message: 'The limit for this minute is reached; try again in 40 s.' };
    return route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: body });
  });
  const inFlight = new Set<unknown>();
  page.on('request', (request) => inFlight.add(request));
  page.on('requestfinished', (request) => inFlight.delete(request));
  page.on('requestfailed', (request) => inFlight.delete(request));
  const said = page.getByText(/^Too many requests of yours in this minute\. This page reads again at \d+:00:\d+/);
  await page.getByRole('link', { name: 'Sessions' }).click();
  await said.waitFor();
  await expect.poll(() => inFlight.size).toBe(0);
  const sent = refused.length;
  await page.clock.runFor(30_000);
  expect(refused.length).toBe(sent);
  isLimited = false;
  await page.clock.runFor(15_000);
  await said.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
});
