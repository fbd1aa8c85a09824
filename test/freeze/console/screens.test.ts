import { readConsole } from '@parley/owner-app';
import type { Page, Request } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { openPage } from '../../browser/support/browser.ts';
import { goToTab, openEverything, openSession, TABS } from '../../browser/support/console.ts';
import { MODERATED } from '../../scenarios/support/stories.ts';
import { expectFrozen } from '../support/frozen.ts';
import { type Moment, playStory, stockMoments } from '../support/moments.ts';
import { openStage, type Stage } from '../support/stage.ts';

/** Pages that show no single session. */
const PAGES = ['', 'sessions', 'audit', 'find?words=ledger', 'people', 'new'];
/** The moments whose screens are read. */
const MOMENTS = new Set(['CONTRACT', 'VERIFY', 'ENDED', 'moderated', 'failed']);
/** The time of the service and of the browser. */
const TIME = '2026-01-05T10:00:00.000Z';
const VIEWPORT = { width: 1280, height: 4_000 };

interface Screen {
  readonly page: Page;
  /** The requests of the page that are not answered yet, without the stream of events, which stays open. */
  readonly requests: ReadonlySet<Request>;
  readonly stage: Stage;
}

/** The roles, names and texts of every screen at a moment. */
async function screensAt(screen: Screen, moment: Moment): Promise<Record<string, string>> {
  const { page, stage } = screen;
  await stage.show(moment);
  const screens: Record<string, string> = {};
  for (const path of PAGES) {
    await page.goto(`${stage.url}/owner/${path}`);
    screens[path === '' ? 'inbox' : path] = await shownOn(screen);
  }
  await openSession(page, stage.url, stage.sessionId);
  for (const tab of TABS) {
    await goToTab(page, tab);
    screens[tab] = await shownOn(screen);
  }
  return screens;
}

/** The page when everything is opened and loaded, every request is answered, and nothing changes any more. */
async function shownOn({ page, requests, stage }: Screen): Promise<string> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  let last = '';
  await expect
    .poll(async () => {
      await openEverything(page);
      const before = last;
      last = await page.locator('body').ariaSnapshot();
      return requests.size === 0 && last === before && !last.includes('Loading…');
    })
    .toBe(true);
  return last.replaceAll(stage.url, 'http://parley');
}

function openRequests(page: Page): ReadonlySet<Request> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!/\/events\b/.test(request.url())) open.add(request);
  });
  const close = (request: Request): void => void open.delete(request);
  page.on('requestfinished', close);
  page.on('requestfailed', close);
  return open;
}

async function signIn(page: Page, { url, keys }: Stage): Promise<void> {
  await page.addInitScript(`globalThis.Date = class extends Date {
    constructor(...parts) { if (parts.length > 0) super(...parts); else super('${TIME}'); }
    static now() { return Date.parse('${TIME}'); }
  }`);
  await page.goto(`${url}/owner/`);
  await page.getByLabel('Owner key').fill(keys.owner);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
}

test('the screens of the console show what is recorded', async () => {
  const stage = await openStage({ at: TIME, consoleFiles: readConsole(inject('consoleFolder')) });
  const { page, errors } = await openPage({ viewport: VIEWPORT, timezoneId: 'UTC' });
  const screen = { page, requests: openRequests(page), stage };
  const moments = [...(await playStory(MODERATED)).moments, ...(await stockMoments())];
  const [first] = moments;
  if (first) await stage.show(first);
  await signIn(page, stage);
  const screens: Record<string, object> = {};
  for (const moment of moments.filter(({ name }) => MOMENTS.has(name)))
    screens[moment.name] = await screensAt(screen, moment);
  await stage.close();
  expect(errors).toEqual([]);
  await expectFrozen('screens', screens);
});
