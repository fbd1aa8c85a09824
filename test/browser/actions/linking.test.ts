import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { play, upTo } from '../../../scripts/screenshots/play.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the owner links an agent with a repository, sees why no status is posted, and removes the link', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await play(
    site.parley,
    site.owner,
    upTo(await loadMission('payment-capture'), 'discussion', 1),
  );
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'People');
  await page.getByRole('button', { name: 'Link a repository…' }).first().click();
  const dialog = page.getByRole('dialog', { name: /^Link .* with a repository$/ });
  await dialog.getByLabel('Forge').selectOption('gitlab');
  await dialog.getByLabel('Repository').fill('shop/orders/api');
  await dialog.getByLabel('Pull or merge request').fill('12');
  await dialog.getByLabel('Token').fill('a-token-of-this-test-0123456789');
  await dialog.getByRole('button', { name: 'Link', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const link = page.getByRole('link', { name: 'shop/orders/api #12' });
  expect(await link.getAttribute('href')).toBe('https://gitlab.com/shop/orders/api/-/merge_requests/12');
  await page.getByText('No status is posted, for want of agent_a has declared no commit yet.').waitFor();
  expect(await page.content()).not.toContain('a-token-of-this-test');
  await page.getByRole('button', { name: 'Remove the link…' }).click();
  await page.getByRole('button', { name: 'Remove the link now' }).click();
  await link.waitFor({ state: 'hidden' });
  expect((await site.owner.changeLinks(sessionId)).links).toEqual([]);
  expect(errors).toEqual([]);
});
