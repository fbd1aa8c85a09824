import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the holder of the owner key adds an account, adds a person to it, and closes it', async () => {
  const site = await openSite(openMemory());
  const first = await openPage();
  await signIn(first.page, site.url);
  await first.page.getByRole('link', { name: 'Owner (approver)', exact: true }).waitFor();
  await first.page.goto(`${site.url}/owner/people`);
  const accounts = first.page.getByRole('region', { name: 'Accounts' });
  await accounts.getByLabel('New account').fill('Team B');
  await accounts.getByRole('button', { name: 'Add the account' }).click();
  await accounts.getByText('Team B').waitFor();
  await accounts.getByText('0 people; 0 sessions, 0 events, 0 bytes').first().waitFor();
  await first.page.getByLabel('Name', { exact: true }).fill('Bea');
  await first.page.getByLabel('Account', { exact: true }).selectOption('Team B');
  await first.page.getByRole('button', { name: 'Add', exact: true }).click();
  const dialog = first.page.getByRole('dialog', { name: 'The key of Bea' });
  const key = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have passed the key on' }).click();

  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Bea (viewer), Team B' }).click();
  await page.getByText('To change people, you need the role approver.').waitFor();
  expect(await page.getByRole('region', { name: 'Accounts' }).count()).toBe(0);

  await accounts.getByRole('button', { name: 'Close…' }).click();
  await accounts.getByRole('button', { name: 'Yes, close it' }).click();
  await accounts.getByText('closed', { exact: true }).waitFor();
  await page.reload();
  await page.getByLabel('Owner key').waitFor();
});
