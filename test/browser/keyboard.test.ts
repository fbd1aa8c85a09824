import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { signIn, TABS } from './support/console.ts';
import { calls, playAt, upTo } from './support/mission-cuts.ts';
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
  await page.getByRole('link', { name: 'Sessions', exact: true }).focus();
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
  await page.route('**/api/inbox*', () => undefined);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await expect.poll(() => page.getByText(/Nothing waits for you|agents are absent/i).count()).toBe(0);
});

/** Elements that the Tab key has to reach. */
const TAB_STOPS = `[...document.querySelectorAll('a[href], button, input:not([type=radio]:not(:checked)), select, textarea, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0)`;
const NOT_REACHED = `${TAB_STOPS}.filter((element) => !reached.has(element)).map(({ outerHTML }) => outerHTML.slice(0, 120))`;
const TAKE_FOCUS = `(() => {
  const { activeElement } = document;
  if (getComputedStyle(activeElement).outlineStyle === 'none') unseen.push(activeElement.outerHTML.slice(0, 120));
  reached.add(activeElement);
})()`;

async function tabThrough(page: Page): Promise<void> {
  await page.evaluate(
    'globalThis.reached = new Set(); globalThis.unseen = []; document.activeElement.blur(); scrollTo(0, 0)',
  );
  const count: number = await page.evaluate(`${TAB_STOPS}.length`);
  for (let pressed = 0; pressed < count; pressed += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(TAKE_FOCUS);
  }
}

test('Tab reaches every control of each page, and the focus is seen', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { page } = await openPage();
  await signIn(page, site.url);
  for (const path of ['', 'sessions', 'new', ...TABS.map((tab) => `sessions/${sessionId}/${tab.toLowerCase()}`)]) {
    await page.goto(`${site.url}/owner/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Loading…').filter({ visible: true }).first().waitFor({ state: 'hidden' });
    // A part that loads after the focus has passed its place is reached when `expect.poll` tabs through the page again.
    const faults = async () => {
      await tabThrough(page);
      return await page.evaluate(`[...${NOT_REACHED}, ...unseen]`);
    };
    await expect.poll(faults, { message: path }).toEqual([]);
  }
});

const DIALOGS = [
  ['', 'Stop all…'],
  ['', 'Find… Ctrl K'],
  ['transcript', 'Ask or direct…'],
  ['transcript', 'Assign…'],
  ['transcript', 'Add rounds…'],
  ['transcript', 'Pause…'],
  ['transcript', 'End…'],
  ['contract', 'Approve…'],
  ['contract', 'Request changes…'],
  ['log', 'Erase this session…'],
] as const;

test('a dialog that is opened and left by keyboard gives the focus back', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { page } = await openPage();
  await signIn(page, site.url);
  for (const [tab, name] of DIALOGS) {
    if (tab !== '') await page.goto(`${site.url}/owner/sessions/${sessionId}/${tab}`);
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('dialog').contains(document.activeElement)"), { message: name })
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe(name);
  }
});
