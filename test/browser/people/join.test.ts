import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const PUBLIC = 'https://parley.example.com';
const { name, version } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));

const CODE = `pinv_${'c'.repeat(71)}`;
const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

const textUnder = (page: Page, label: string): Promise<string | null> =>
  page
    .locator('.copyable')
    .filter({ has: page.locator('.label', { hasText: label }) })
    .locator('code')
    .textContent();

test('the link of an invitation opens a page without a sign-in, which gives the server no code', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const owner = await openPage();
  await signIn(owner.page, site.url);
  await openSession(owner.page, site.url, sessionId, 'People');
  await owner.page.getByRole('button', { name: 'Invite Agent B' }).click();
  await owner.page.getByRole('dialog').waitFor();
  const link = (await textUnder(owner.page, 'Link to pass on')) ?? '';
  const code = new URLSearchParams(new URL(link).hash.slice(1)).get('code') ?? '';
  expect(link).toBe(`${site.url}/join#code=${code}&role=agent_b`);

  const { page, errors } = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url() + (request.postData() ?? '')));
  await page.goto(link);
  await page.getByRole('heading', { name: 'Join as Agent B (agent_b)', level: 1 }).waitFor();
  expect(requests.filter((url) => url.includes(code))).toEqual([]);
  expect(requests.filter((url) => url.includes('/api'))).toEqual([]);
  // A proxy may demand a sign-in for all below /owner/.
  expect(requests.map((url) => new URL(url).pathname).filter((path) => !/^\/join(\/|$)/.test(path))).toEqual([]);
  expect(await page.content()).not.toContain(SESSION.title);

  // The page does not know the path of Parley on this machine.
  expect(await page.getByLabel('Client of the agent').count()).toBe(0);
  await page.getByText('The lines that add Parley to the client').waitFor();
  await page.getByRole('button', { name: /^Copy: Paste this to the agent/ }).click();
  const pasted = await page.evaluate('navigator.clipboard.readText()');
  expect(pasted).toContain(`{"code":"${code}","url":"${site.url}"}`);

  // Another link in the same tab changes the fragment alone.
  await page.evaluate(`location.hash = '#code=${CODE}&role=moderator'`);
  await page.getByRole('heading', { name: 'Join as Moderator', level: 1 }).waitFor();
  expect(await textUnder(page, 'Works once')).toBe(CODE);
  expect([...owner.errors, ...errors]).toEqual([]);
});

/** Shows the page of an invitation at an address that other machines reach. */
async function openPublic(siteUrl: string, options?: Parameters<typeof openPage>[0]) {
  const opened = await openPage(options);
  await opened.page.route(`${PUBLIC}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: siteUrl + pathname }) });
  });
  await opened.page.goto(`${PUBLIC}/join#code=${CODE}&role=agent_a`);
  return opened;
}

test('the page of an invitation has the theme that the reader chose in the console', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage({ colorScheme: 'light' });
  await page.addInitScript("localStorage.setItem('parley-theme', 'dark')");
  await page.goto(`${site.url}/join#code=${CODE}&role=agent_b`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
});

test('the page of an invitation opens where the browser blocks the storage', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage({ colorScheme: 'light' });
  const blocked = "{ get() { throw new DOMException('blocked', 'SecurityError'); } }";
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', ${blocked})`);
  await page.goto(`${site.url}/join#code=${CODE}&role=agent_b`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByText(CODE).first().textContent()).toContain(CODE);
});

test('at a public address the page has a line for each client, which runs the installed command', async () => {
  const site = await openSite(openMemory());
  const { page, errors } = await openPublic(site.url);
  expect(await textUnder(page, 'Once, on a machine')).toBe(`npm install --global ${name}@${version}`);
  expect(await textUnder(page, "Run this in the agent's repository")).toBe(
    `claude mcp add parley -- parley mcp --url ${PUBLIC}`,
  );
  await page.getByLabel('Client of the agent').selectOption('VS Code');
  const install = await page.getByRole('link', { name: 'Add it to VS Code' }).getAttribute('href');
  expect(install).toMatch(/^vscode:mcp\/install\?%7B%22name%22%3A%22parley%22/);
  expect(install).not.toContain('pinv_');
  expect(errors).toEqual([]);
});

test.each(['', '#code=pinv_<img src=x onerror=alert(1)>&role=agent_a', `#code=${CODE}&role=<b>`])(
  'an address that ends with %j has no invitation, and says so',
  async (fragment) => {
    const site = await openSite(openMemory());
    const { page, errors } = await openPage();
    await page.goto(`${site.url}/join${fragment}`);
    await page.getByRole('heading', { name: 'No invitation', level: 1 }).waitFor();
    expect(await page.locator('code').count()).toBe(0);
    expect(errors).toEqual([]);
  },
);

test.each(['light', 'dark'] as const)(
  'the page of an invitation is clean for axe in the %s theme, and fits a phone',
  async (colorScheme) => {
    const site = await openSite(openMemory());
    const { page } = await openPublic(site.url, { colorScheme });
    await page.getByLabel('Client of the agent').selectOption('Cursor');
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1_440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      expect(await seriousIssues(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      if (process.env.PICTURES)
        await page.screenshot({
          path: `${process.env.PICTURES}/join-${colorScheme}-${viewport.width}.png`,
          fullPage: true,
        });
    }
  },
);
