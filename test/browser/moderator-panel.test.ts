import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { calls, loadModerated, playAt, upTo } from './support/mission-cuts.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

interface Held {
  readonly site: Site;
  readonly page: Page;
  readonly sessionId: string;
}

/** Opens the tab People of a session in which a hold of the moderator is active. */
async function openHeld(): Promise<Held> {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(
    site,
    upTo(await loadModerated(), calls('respond_finding', { finding_id: 'f_3' })),
  );
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  return { site, page, sessionId };
}

test('shows what the moderator holds, and releases it with a reason', async () => {
  const { site, page, sessionId } = await openHeld();
  const [hold] = (await site.owner.view(sessionId)).holds;
  if (!hold) throw new Error('The mission holds nothing here.');
  const panel = page.getByRole('region', { name: 'Holds' });
  await panel.getByText(hold.reason).waitFor();
  const words = 'The hold rests on f_3';
  await panel.getByText(words).waitFor();
  await panel.getByText('The hold stops the approval of the contract and every authorization.').waitFor();
  await panel.getByRole('button', { name: `Release hold ${hold.hold_id}` }).click();
  await page.getByRole('dialog').getByText(words).waitFor();
  await page.getByLabel('Reason').fill('The way back was tried.');
  await page.getByRole('dialog').getByRole('button', { name: 'Release the hold' }).click();
  await panel.getByText('the owner released the hold').waitFor();
  expect((await site.owner.view(sessionId)).holds).toMatchObject([
    { hold_id: hold.hold_id, status: 'RELEASED', released: { cause: 'OWNER', reason: 'The way back was tried.' } },
  ]);
});

test('stops and restores the moderator, and forbids moderators', async () => {
  const { site, page, sessionId } = await openHeld();
  const moderator = async () => (await site.owner.view(sessionId)).moderator;
  const panel = page.getByRole('region', { name: /^Moderator/ });
  await panel.getByRole('button', { name: 'Stop the moderator' }).click();
  await panel.getByRole('button', { name: 'Yes, stop the moderator' }).click();
  await panel.getByText('stopped', { exact: true }).waitFor();
  expect(await moderator()).toMatchObject({ active: false, stopped: true });
  await panel.getByRole('button', { name: 'Restore the moderator' }).click();
  await panel.getByText('active', { exact: true }).waitFor();
  await panel.getByRole('button', { name: 'Forbid moderators' }).click();
  await panel.getByRole('button', { name: 'Yes, forbid moderators' }).click();
  await panel.getByText('not allowed', { exact: true }).waitFor();
  expect(await moderator()).toMatchObject({ active: false, stopped: false, entitled: false });
  const access = page.getByRole('region', { name: 'Access' });
  await access.getByText('Moderators are not allowed. To invite a moderator, allow moderators below.').waitFor();
  await expect.poll(() => access.getByRole('button', { name: /^Invite Moderator/ }).count()).toBe(0);
  await panel.getByRole('button', { name: 'Allow moderators' }).click();
  await panel.getByRole('button', { name: 'Yes, allow moderators' }).click();
  await panel.getByText('active', { exact: true }).waitFor();
  await access.getByRole('button', { name: 'Invite Moderator again' }).waitFor();
});

test('the task about a hold shows its finding, a link to it, and what the hold stops', async () => {
  const { site, page, sessionId } = await openHeld();
  const [finding] = (await site.owner.records(sessionId, { type: 'finding', id: 'f_3' })).records;
  const text = String(Object(finding).text);
  expect(text).not.toBe('undefined');
  const waits = page.getByRole('region', { name: 'Waits for you' });
  await waits.getByText(text).waitFor();
  await waits.getByText('Hold h_1 on f_3 stops the approval and every authorization').waitFor();
  await waits.getByRole('link', { name: 'f_3' }).click();
  await page.getByRole('dialog', { name: 'f_3' }).getByText(text).first().waitFor();

  await page.goto(`${site.url}/owner/`);
  const card = page.getByRole('listitem').filter({ hasText: 'Decide on h_1' });
  await card.getByText(text.slice(0, 100)).waitFor();
  await card.getByText('Hold h_1 on f_3 stops the approval and every authorization').waitFor();
  await card.getByRole('link', { name: 'f_3' }).click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/f_3`);
});
