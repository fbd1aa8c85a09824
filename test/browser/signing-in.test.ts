import { describe, expect, test } from 'vitest';
import { openPage } from './stage/browser.ts';
import { signIn } from './stage/console.ts';
import { openSite } from './stage/site.ts';
import { openMemory } from './stage/storages.ts';

describe('signing in', () => {
  test('with a wrong key says so, and what is right opens the sessions', async () => {
    const site = await openSite(openMemory());
    const { page, errors } = await openPage();
    await page.goto(`${site.url}/owner/`);
    await page.getByLabel('Owner key').fill(`pok_${'x'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('This is not the owner key.').waitFor();
    await signIn(page, site.url);
    expect(await page.getByText('No session yet.').isVisible()).toBe(true);
    expect(errors).toEqual([]);
  });

  test('lasts over a reload, in a cookie that scripts cannot read, and until signing out', async () => {
    const site = await openSite(openMemory());
    const { page } = await openPage();
    await signIn(page, site.url);
    expect(
      await page.evaluate('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain('pok_');
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Owner key').waitFor();
    await page.reload();
    await page.getByLabel('Owner key').waitFor();
  });
});
