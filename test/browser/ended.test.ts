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
  await head.getByText('COMPLETED', { exact: true }).waitFor();
  await expect.poll(() => page.title()).toBe('ENDED · Idempotent payment capture');
  const savingAtOnce = page.waitForEvent('download');
  await head.getByRole('button', { name: 'Save the report' }).click();
  expect((await savingAtOnce).suggestedFilename()).toMatch(/^parley-report-.+\.html$/);
  await report.click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/log#report`);
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('report');
  const shown = page.locator('#report');
  await shown.getByRole('heading', { name: 'Requirements and their proof' }).waitFor();
  await shown.getByText(/^Ended as COMPLETED in the phase RELEASE\./).waitFor();
  const saving = page.waitForEvent('download');
  await shown.getByRole('button', { name: 'Save the report' }).click();
  expect((await saving).suggestedFilename()).toMatch(
    /^parley-report-idempotent-payment-capture-\d{4}-\d\d-\d\d\.html$/,
  );
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByRole('link', { name: 'Verify', exact: true }).click();
  const savingCertificate = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the certificate' }).click();
  expect((await savingCertificate).suggestedFilename()).toMatch(/^parley-certificate-\w{22}-\d+\.json$/);

  await page.getByRole('link', { name: 'People', exact: true }).click();
  const access = page.getByRole('region', { name: 'Access' });
  await access.getByText('The session has ended: no agent can write.').waitFor();
  await access.getByRole('button', { name: 'Revoke…' }).first().waitFor();
  expect(await access.textContent()).not.toMatch(/silent for|invite the agent again/);
  expect(await page.getByRole('button', { name: /moderator/i }).count()).toBe(0);
});

test('a cancelled session says so, and a session that runs shows its report when it is unfolded', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession((await loadMission('payment-capture')).session);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/${sessionId}/log`);
  await page.getByRole('heading', { name: 'Before the start' }).waitFor();
  expect(await page.locator('.presence').count()).toBe(0);
  const objective = page.locator('#report').getByRole('heading', { name: 'Objective' });
  await page.getByText('Read it here').click();
  await objective.waitFor();
  await site.owner.end(sessionId, { end_reason: 'CANCELLED' });
  const head = page.locator('.session-page > .page-head');
  await head.getByText('CANCELLED', { exact: true }).waitFor();
  expect(await head.textContent()).not.toContain('COMPLETED');
  await objective.waitFor();
});
