import { readFile } from 'node:fs/promises';
import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the audit lists what people did, filters it, leads to the message and exports all', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  const rows = page.locator('.audit-table tbody tr');
  await page.getByText('starts the session').waitFor();
  const all = await rows.count();
  expect(all).toBeGreaterThan(3);
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByLabel('Kind').selectOption('session.started');
  await expect.poll(() => rows.count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?kind=session.started');
  await page.reload();
  await page.getByText('starts the session').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => rows.count()).toBe(all);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as JSON lines' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(all);

  await page.getByRole('link', { name: 'starts the session' }).click();
  await page.getByRole('feed', { name: 'Messages' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/owner/sessions/${sessionId}`);
  expect(errors).toEqual([]);
});
