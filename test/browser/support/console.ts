import type { Locator, Page } from 'playwright-core';
import { OWNER_KEY } from './site.ts';

export const TABS = ['Transcript', 'Contract', 'Verify', 'People', 'Log'] as const;
export type Tab = (typeof TABS)[number];

export async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/owner/`);
  await page.getByLabel('Owner key').fill(OWNER_KEY);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
}

/** Opens a tab of a session, in a page that is signed in. */
export async function openSession(page: Page, url: string, sessionId: string, tab: Tab = 'Transcript'): Promise<void> {
  const path = tab === 'Transcript' ? sessionId : `${sessionId}/${tab.toLowerCase()}`;
  await page.goto(`${url}/owner/sessions/${path}`);
  await page
    .getByRole('status')
    .filter({ hasText: /^live$/ })
    .or(page.getByRole('link', { name: 'Read the report' }))
    .waitFor();
}

export async function goToTab(page: Page, tab: Tab): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Parts of the session' }).getByRole('link', { name: tab });
  await link.click();
  await page.locator('nav [aria-current="page"]', { hasText: tab }).waitFor();
}

/** Opens every collapsed element of the page, and unfolds every text. */
export async function openEverything(page: Page): Promise<void> {
  await page.getByText('Loading…').filter({ visible: true }).first().waitFor({ state: 'hidden' });
  // Clicks inside the page, because a transcript may have hundreds of folded messages.
  await page.evaluate(`(async () => {
    const closed = () => [...document.querySelectorAll('details:not([open]) > summary, button.fold[aria-expanded="false"]')]
      .filter((element) => element.checkVisibility());
    for (let all = closed(); all.length > 0; all = closed()) {
      for (const element of all) element.click();
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  })()`);
}

export const message = (page: Page, text: string): Locator =>
  page.getByRole('feed', { name: 'Messages' }).getByText(text).first();
