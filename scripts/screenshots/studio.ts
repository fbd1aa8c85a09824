import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createMemoryStorage, createParley, type Owner, type Parley, type Storage } from '@parley/core';
import { serve } from '@parley/http-host';
import { createOwnerApp, OWNER_ID, openOwnerKey, readConsole } from '@parley/owner-app';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from '../browser-chromium.ts';
import { createHurryingClock, type HurryingClock } from './play.ts';
import { addSmallSessions, playSessions, type Sessions } from './sessions.ts';

const KEY = `pok_${'s'.repeat(43)}`;
const AFTERNOON_MS = 7 * 60 * 60 * 1000;
const CONSOLE = 'packages/owner-app/console';

/** Two profiles of the browser, which share no cookies. */
export interface Profiles {
  /** The owner's profile. It is signed in to two consoles: one shows sessions, the other has none. */
  readonly owner: BrowserContext;
  /** The profile that is not signed in to any console. */
  readonly stranger: BrowserContext;
}

export interface Studio {
  readonly url: string;
  /** Address of the console that has no session. */
  readonly emptyUrl: string;
  readonly sessions: Sessions;
  readonly openProfiles: (options: BrowserContextOptions) => Promise<Profiles>;
  readonly close: () => Promise<void>;
}

/**
 * Starts a console with sessions, a console without sessions, and a browser.
 *
 * @param smallSessions number of small sessions that are added to the sessions in the pictures
 */
export async function openStudio(smallSessions: number): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-console-'));
  await build({ root: CONSOLE, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  const clock = createHurryingClock(Date.now() - AFTERNOON_MS);
  const full = await openConsole(folder, '127.0.0.1', clock);
  // A browser sends the cookies of a host to all ports of that host, so the console without sessions has another host
  // name.
  const empty = await openConsole(folder, 'localhost');
  await addSmallSessions({ ...full, clock }, smallSessions);
  const sessions = await playSessions({ ...full, clock });
  const browser = await launch();
  return {
    url: full.url,
    emptyUrl: empty.url,
    sessions,
    async openProfiles(options) {
      const openContext = () => browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
      const [owner, stranger] = [await openContext(), await openContext()];
      for (const context of [owner, stranger]) context.setDefaultTimeout(15_000);
      for (const { url } of [full, empty]) await signIn(owner, url);
      return { owner, stranger };
    },
    async close() {
      await browser.close();
      for (const { close } of [full, empty]) await close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Served {
  readonly url: string;
  readonly parley: Parley;
  readonly owner: Owner;
  readonly close: () => Promise<void>;
}

async function openConsole(folder: string, host: string, clock?: HurryingClock): Promise<Served> {
  const storage: Storage = createMemoryStorage();
  const parley = await createParley({ storage, ...(clock ? { clock } : {}) });
  const app = createOwnerApp({
    parley,
    storage,
    ownerKey: await openOwnerKey('', KEY),
    consoleFiles: readConsole(folder),
  });
  const { url, close } = await serve(app, { host, port: 0, parley });
  return {
    url,
    parley,
    owner: parley.owner(OWNER_ID),
    async close() {
      await close();
      await parley.close();
    },
  };
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = await findChromium((text) => console.log(text));
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/owner/`);
  await page.getByLabel('Owner key').fill(KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.close();
}

/** Opens a page of the console and waits until it has loaded. */
export async function open(context: BrowserContext, url: string, path = ''): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/owner/${path}`);
  if (path.startsWith('sessions/'))
    await page
      .getByRole('status')
      .filter({ hasText: /^live$/ })
      .or(page.getByRole('link', { name: 'Read the report' }))
      .waitFor();
  await page.getByText('Loading…').filter({ visible: true }).first().waitFor({ state: 'hidden' });
  return page;
}
