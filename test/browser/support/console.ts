import type { Locator, Page } from 'playwright-core';
import { OWNER_KEY } from './site.ts';

export const TABS = ['Transcript', 'Contract', 'Verify', 'People', 'Log'] as const;
export type Tab = (typeof TABS)[number];

/** Opens the console for the first time and signs in. */
export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/owner/`);
  await page.getByLabel('Owner key').fill(OWNER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
}

/** Opens a session by its address. The page must be signed in already. */
export async function openSession(page: Page, url: string, sessionId: string, tab: Tab = 'Transcript'): Promise<void> {
  const path = tab === 'Transcript' ? sessionId : `${sessionId}/${tab.toLowerCase()}`;
  await page.goto(`${url}/owner/sessions/${path}`);
  await page
    .getByRole('status')
    .filter({ hasText: /^live$/ })
    .waitFor();
}

export async function goToTab(page: Page, tab: Tab): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Parts of the session' }).getByRole('link', { name: tab });
  await link.click();
  await page.locator('nav [aria-current="page"]', { hasText: tab }).waitFor();
}

/** Opens every collapsed element on the page. */
export async function openEverything(page: Page): Promise<void> {
  await page.getByText('Loading…').filter({ visible: true }).first().waitFor({ state: 'hidden' });
  for (const summary of await page.locator('details:not([open]) > summary').all())
    if (await summary.isVisible()) await summary.click();
}

/** Finds a text in the messages of the transcript. */
export const message = (page: Page, text: string): Locator =>
  page.getByRole('feed', { name: 'Messages' }).getByText(text).first();
