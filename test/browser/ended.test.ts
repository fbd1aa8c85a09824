import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { signIn } from './support/console.ts';
import { playAt } from './support/mission-cuts.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

test('an ended session is not live, and leads to its report', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadMission('payment-capture'));
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/${sessionId}`);
  const report = page.getByRole('link', { name: 'Read the report' });
  await report.waitFor();
  const head = page.locator('.session-page > .page-head');
  expect(await head.textContent()).not.toMatch(/live|next:/);
  await expect.poll(() => page.title()).toBe('ENDED · Idempotent payment capture');
  await report.click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/log#report`);
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('report');
  await page.locator('#report').getByRole('button', { name: 'Save the report' }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
});
