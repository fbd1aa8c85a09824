import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('a template fills the form, which refuses its words until they are replaced, and can be undone', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/new`);
  const title = page.locator('[name="title"]');
  await title.fill('Mine');
  await page.getByRole('button', { name: 'event', exact: true }).click();
  await page.getByText('has filled the form below: 3 requirements, 3 guardrails, 4 topics, 3 scenarios').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => title.inputValue()).toBe('Mine');

  await page.getByRole('button', { name: 'event', exact: true }).click();
  await page.getByRole('button', { name: 'Create the session' }).click();
  await page.getByText('Replace <name of the event>.').first().waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('title');
  expect((await site.owner.listSessions()).sessions).toEqual([]);

  for (const field of await page.locator('form input, form textarea').all()) {
    const value = await field.inputValue();
    if (value.includes('<')) await field.fill(value.replaceAll(/<[^>]+>/g, 'order.paid'));
  }
  await page.getByRole('button', { name: 'Remove scenario test-repeat' }).click();
  await page.getByRole('button', { name: 'Create the session' }).click();
  await page.getByRole('heading', { name: 'Event: order.paid', level: 1 }).waitFor();
  const { agenda } = await site.owner.view(new URL(page.url()).pathname.split('/').at(3) ?? '');
  expect(agenda?.topics).toHaveLength(4);
  expect(agenda?.scenarios.map(({ id }) => id)).toEqual(['test-flow', 'test-poison']);
});
