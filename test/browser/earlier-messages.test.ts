import { createMemoryStorage } from '@parley/core';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { message, openSession, signIn } from './support/console.ts';
import { playTurns } from './support/long-session.ts';
import { openSite } from './support/site.ts';

const loaded = async (page: Page): Promise<number> =>
  Number(/(\d+) messages/.exec((await page.locator('.transcript-filter [role=status]').textContent()) ?? '')?.[1]);

const topOf = (page: Page, id: string): Promise<number> =>
  page.evaluate(`document.getElementById('${id}')?.getBoundingClientRect().top ?? -9999`);

/** Returns the first visible message. Waits while the list shows no message at its scroll position. */
async function firstShown(page: Page): Promise<{ readonly id: string; readonly place: number }> {
  const found = await page.waitForFunction(`(() => {
    const { top, bottom } = document.querySelector('.scroller').getBoundingClientRect();
    for (const one of document.querySelectorAll('.message')) {
      const place = one.getBoundingClientRect().top;
      if (place >= top && place < bottom) return { id: one.id, place };
    }
  })()`);
  return (await found.jsonValue()) as { id: string; place: number };
}

const memory = createMemoryStorage();
afterAll(() => memory.close());
let played: ReturnType<typeof playTurns> | undefined;

/** Opens a page with a long session, which is played once. Tests only read the session. */
async function openLong(): Promise<Page> {
  const site = await openSite(memory.sibling());
  played ??= playTurns(site.parley, site.owner);
  const { sessionId } = await played;
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await message(page, 'Turn 999.').waitFor();
  await expect.poll(() => page.getByText(/^the last \d+ messages, from #\d+$/).count()).toBe(1);
  expect(await loaded(page)).toBeLessThan(100);
  return page;
}

test('earlier messages are loaded above a reader who scrolls up, and what is read stays in its place', async () => {
  const page = await openLong();
  const before = await loaded(page);
  await page.evaluate("document.querySelector('.scroller').scrollTop = 200");
  const { id, place } = await firstShown(page);
  await expect.poll(() => loaded(page)).toBeGreaterThan(before);
  // The list corrects estimated heights of rows, and adds a line with the date. Both together move the message by less
  // than 250 px. The added messages are thousands of pixels high.
  await expect.poll(async () => Math.abs((await topOf(page, id)) - place)).toBeLessThan(250);
});

test('a link to an earlier message, a search and the button load what they need', async () => {
  const page = await openLong();
  const before = await loaded(page);
  await page.getByRole('button', { name: 'Earlier messages' }).click();
  await expect.poll(() => loaded(page)).toBeGreaterThan(before);
  await page.evaluate("location.hash = '#m-8'");
  await page.locator('#m-8.marked').waitFor();
  await expect.poll(() => page.getByText(/the last \d+ messages/).count()).toBe(0);
  await page.getByRole('searchbox').fill('Turn 7.');
  await message(page, 'Turn 7.').waitFor();
});
