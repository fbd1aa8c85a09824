import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { playAt } from './support/mission-cuts.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

test('an attempt that failed shows what both sides saw, what was expected and what was', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadMission('payment-capture'));
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Verify');
  const failed = page.locator('details', { hasText: 'Attempt 1: FAILED' }).first();
  await failed.locator('summary').click();
  await failed.locator('.evidence').first().waitFor();
  await expect.poll(() => failed.locator('.evidence').count()).toBe(2);
  await failed.getByText('✗ fails').waitFor();
  await failed.getByText(/^expected 1, was 2$/).waitFor();
  await page.goto(`${site.url}/owner/sessions/${sessionId}/def_1`);
  const ofDefect = page.locator('.side-panel details', { hasText: 'Attempt 1: FAILED' }).first();
  await ofDefect.locator('summary').click();
  await ofDefect.getByText(/^expected 1, was 2$/).waitFor();
});
