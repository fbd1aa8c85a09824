import { createMemoryStorage } from '@parley/core';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { overBudget } from '../support/budgets.ts';
import { openPage } from './support/browser.ts';
import { type ByteCounter, countBytes } from './support/byte-counter.ts';
import { goToTab, message, openSession, signIn } from './support/console.ts';
import { playLong, playTurns } from './support/long-session.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const memory = createMemoryStorage();
afterAll(() => memory.close());
let played: ReturnType<typeof playLong> | undefined;

/** Opens a site with a session of 5,000 events and 100 revisions, which is played once. Tests only read the session. */
async function openLongSite(): Promise<{ site: Site; sessionId: string; events: number }> {
  const site = await openSite(memory.sibling());
  played ??= playLong(site.parley, site.owner);
  return { site, ...(await played) };
}

/** Returns how many answers the page has loaded since its navigation, and the sum of their bytes. */
const transferred = (page: Page): Promise<{ bytes: number; answers: number }> =>
  page.evaluate(`(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return { bytes: all.reduce((sum, { transferSize }) => sum + transferSize, 0), answers: all.length };
  })()`);

test('the first page is light, also where it is a session', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  const start = performance.now();
  await page.goto(`${site.url}/owner/`);
  await page.getByLabel('Owner key').fill('x');
  const interactiveMs = performance.now() - start;
  const first = await transferred(page);
  console.log(
    `first page: ${first.bytes} bytes in ${first.answers} answers, takes input after ${interactiveMs.toFixed(0)} ms`,
  );
  expect(first.answers).toBeGreaterThanOrEqual(3);
  expect(first.bytes).toBeGreaterThan(5_000);
  expect(first.bytes).toBeLessThanOrEqual(120_000);
});

test('a session of 5,000 events and 100 revisions opens', async () => {
  const { site, sessionId, events } = await openLongSite();
  expect(events).toBeGreaterThanOrEqual(5_000);
  const { page } = await openPage();
  await signIn(page, site.url);
  const start = performance.now();
  await openSession(page, site.url, sessionId);
  const liveMs = performance.now() - start;
  await message(page, 'The last word.').waitFor();
  const shownMs = performance.now() - start;
  const { bytes } = await transferred(page);
  const contractStart = performance.now();
  await goToTab(page, 'Contract');
  await page.getByRole('button', { name: 'Request changes…' }).waitFor();
  const contractMs = performance.now() - contractStart;
  console.log(
    `${events} events and 100 revisions: live after ${liveMs.toFixed(0)} ms, the last message shown after ${shownMs.toFixed(0)} ms (${bytes} bytes), the contract after ${contractMs.toFixed(0)} ms`,
  );
  await expect.poll(() => page.evaluate("document.getElementsByTagName('*').length")).toBeLessThan(20_000);
});

/** Waits until the server sends nothing for 500 ms. Returns the number of bytes sent until then. */
async function settled(counter: ByteCounter, page: Page): Promise<number> {
  let bytes = 0;
  for (let last = counter.take(); last > 0; last = counter.take()) {
    bytes += last;
    await page.waitForTimeout(500);
  }
  return bytes;
}

const TURN_CHARS = 4_000;

test('a turn in a session of 5,000 events costs the open page about its own size', async () => {
  const site = await openSite(openMemory());
  const { sessionId, agents } = await playTurns(site.parley, site.owner);
  const counter = await countBytes(site.url);
  const { page } = await openPage();
  await signIn(page, counter.url);
  await openSession(page, counter.url, sessionId);
  await message(page, 'Turn 999.').waitFor();
  const opened = await settled(counter, page);
  const words = Array.from({ length: 700 }, (_, n) => `w${(n * 7919) % 9973}`).join(' ');
  await agents[0]?.call('post_turn', { summary: `The measured turn. ${words}`.slice(0, TURN_CHARS) });
  await message(page, 'The measured turn.').waitFor();
  await page.getByText('next: Agent B (agent_b): post its turn').first().waitFor();
  const update = counter.take();
  console.log(`opened with ${opened} bytes; a turn of ${TURN_CHARS} characters sends ${update} bytes`);
  expect(update).toBeGreaterThan(1_000);
  expect(update).toBeLessThan(TURN_CHARS + 2_000);
});

/** The throughput of Slow 3G in Chrome, in bytes per second. The latency is in milliseconds. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const ends = (loaded: readonly Loaded[], name: RegExp): number[] =>
  loaded.filter((one) => name.test(one.name)).map(({ responseEnd }) => responseEnd);

/** A request of the page. Times are milliseconds since the navigation. */
interface Loaded {
  readonly name: string;
  readonly startTime: number;
  readonly responseEnd: number;
  readonly transferSize: number;
}

test('a session of 5,000 events is of use within the budget of bytes and after nine requests, with an empty cache', async () => {
  const { site, sessionId } = await openLongSite();
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto('about:blank');
  const chrome = await page.context().newCDPSession(page);
  await chrome.send('Network.enable');
  await chrome.send('Network.clearBrowserCache');
  await chrome.send('Network.emulateNetworkConditions', SLOW_3G);
  const start = performance.now();
  await page.goto(`${site.url}/owner/sessions/${sessionId}`, { waitUntil: 'commit' });
  await Promise.all([
    page.getByRole('heading', { name: 'A year of work', level: 1 }).waitFor(),
    page.getByRole('region', { name: 'Phases' }).waitFor(),
    page.locator('.whose-move').first().waitFor(),
    message(page, 'The last word.').waitFor(),
  ]);
  const usefulMs = performance.now() - start;
  const loaded = await page.evaluate<Loaded[]>("performance.getEntriesByType('resource').map((one) => one.toJSON())");
  const ofUse = loaded.filter(({ startTime }) => startTime < Math.min(...ends(loaded, /assets\/index.*js/)));
  // The stream of events does not end, so the browser does not list it among the resources.
  const bytes = ofUse.reduce((sum, { transferSize }) => sum + transferSize, 0);
  console.log(`on Slow 3G: of use after ${bytes} bytes without the events, and ${usefulMs.toFixed(0)} ms`);
  expect(bytes).toBeGreaterThan(20_000);
  expect(overBudget('first load of the console', bytes)).toEqual([]);
  // The browser does not list the page itself among the resources.
  expect(ofUse.length).toBeLessThanOrEqual(8);
  // The page requests the session before its script has loaded.
  expect(ofUse.map(({ name }) => name)).toContain(`${site.url}/owner/api/sessions/${sessionId}`);
  expect(loaded.map(({ name }) => name).join()).not.toContain('verify-tab');
});
