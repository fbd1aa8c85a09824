import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { goToTab, openSession, signIn, TABS } from './support/console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const LONG = 'N'.repeat(100);
const SESSION = {
  title: 'T'.repeat(200),
  objective: 'O'.repeat(2_000),
  guardrails: ['G'.repeat(500)],
  requirements: Array.from({ length: 200 }, (_, index) => ({
    requirement_id: `req-${index + 1}`,
    text: 'R'.repeat(300),
  })),
  agents: {
    agent_a: { name: LONG, repository: LONG, service: LONG },
    agent_b: { name: `B${LONG.slice(1)}`, repository: LONG, service: LONG },
  },
};

/**
 * Elements that reach beyond the right edge of the page or of their card. Leaves out what lies in an element that
 * scrolls.
 */
const OUTSIDE = `[...document.querySelectorAll('button, a, h1, h2, p, .card')]
  .filter((element) => element.checkVisibility() && !element.closest('.skip, .scroll-x'))
  .filter((element) => {
    const card = element.parentElement.closest('.card') ?? document.documentElement;
    return element.getBoundingClientRect().right > card.getBoundingClientRect().right + 1;
  })
  .map((element) => element.outerHTML.slice(0, 60))`;

test.each([1280, 360])('the longest names stay within their place, %i px wide', async (width) => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  await site.owner.start(sessionId);
  const { page } = await openPage({ viewport: { width, height: 800 } });
  await signIn(page, site.url);
  for (const path of ['', 'sessions']) {
    await page.goto(`${site.url}/owner/${path}`);
    await expect.poll(() => page.getByText('Loading…').filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => page.evaluate(OUTSIDE), { message: path }).toEqual([]);
  }
  await page.locator('.session-item').waitFor();
  await expect.poll(() => page.evaluate(OUTSIDE)).toEqual([]);
  await openSession(page, site.url, sessionId);
  for (const tab of TABS) {
    await goToTab(page, tab);
    await expect.poll(() => page.getByText('Loading…').filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => page.evaluate(OUTSIDE), { message: tab }).toEqual([]);
  }
  await goToTab(page, 'Transcript');
  await page
    .getByText('1 message', { exact: true })
    .or(page.getByText('2 messages', { exact: true }))
    .waitFor();
});

test('an address that got a slash at its end leads to the same page', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession({ ...SESSION, title: 'Cursor pagination' });
  const { page } = await openPage();
  await signIn(page, site.url);
  for (const path of ['', '/', '/contract/']) {
    await page.goto(`${site.url}/owner/sessions/${sessionId}${path}`);
    await page.getByRole('heading', { name: 'Cursor pagination', level: 1 }).waitFor();
  }
});
