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
  const panel = page.locator('.side-panel');
  await panel.getByRole('heading', { name: 'What attempt 1 showed' }).waitFor();
  await panel
    .getByText(/^expected 1, was 2$/)
    .first()
    .waitFor();
  await panel.getByText('All attempts of').click();
  await panel.getByText('Attempt 1: FAILED').click();
  await expect.poll(() => panel.getByText(/^expected 1, was 2$/).count()).toBe(2);
});
