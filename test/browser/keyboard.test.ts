import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { OWNER_KEY, openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

const focused = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement.id || document.activeElement.textContent).trim()');

test('who follows a link by keyboard stands at the beginning of the page that it leads to', async () => {
  const site = await openSite(openMemory());
  await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').focus();
  await page.keyboard.type(OWNER_KEY);
  await page.keyboard.press('Enter');
  await page.locator('.session-item a').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Parts of the session' }).waitFor();
  expect(await focused(page)).toBe('main');

  await page.getByRole('link', { name: 'People', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Access' }).waitFor();
  expect(await focused(page)).toBe('People');
});

test('shows no empty list of waits before the list is loaded', async () => {
  const site = await openSite(openMemory());
  await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill(OWNER_KEY);
  await page.route('**/overview*', () => undefined);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
  expect(await page.getByText('Nothing waits for you').count()).toBe(0);
});
