import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('a defect is assigned to the other agent in a dialog, with an optional reason', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('reassignDefect')));
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Verify');
  const defect = page.getByRole('listitem').filter({ hasText: 'def_1' });
  for (const reason of ['By its log, the connector is right.', '']) {
    const button = defect.getByRole('button', { name: /^Assign it to/ });
    const label = await button.textContent();
    await button.click();
    const dialog = page.getByRole('dialog', { name: 'Assign def_1 to' });
    await dialog.getByText('Both agents can read your reason.').waitFor();
    await dialog.getByText('A new commit makes every pass so far stale').waitFor();
    await dialog.getByLabel('Reason (optional)').fill(reason);
    await dialog.getByRole('button', { name: 'Assign the defect' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => button.textContent()).not.toBe(label);
  }
  const { messages } = await site.owner.transcript(sessionId, { kind: 'defect.reassigned' });
  const [first, second] = messages.map(({ body }) => body);
  expect(first).toMatchObject({ defect_id: 'def_1', reason: 'By its log, the connector is right.' });
  expect(second).not.toHaveProperty('reason');

  // The transcript addresses the reader.
  await openSession(page, site.url, sessionId);
  const feed = page.getByRole('feed', { name: 'Messages' });
  await feed
    .locator('.message.owner .did')
    .filter({ hasText: /^give def_1 of/ })
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});
