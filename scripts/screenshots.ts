import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Clock, createMemoryStorage, createParley, type Parley, systemClock } from '@parley/core';
import { serve } from '@parley/http-host';
import { loadMission, type MissionName, PARTS, runMission, type Step, withModerator } from '@parley/missions';
import { createOwnerApp, OWNER_ID, openOwnerKey, readConsole } from '@parley/owner-app';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { findChromium } from './browser-chromium.ts';

/** `pnpm docs:screenshots` plays sessions and takes the pictures of README.md and docs/owner-guide.md from them. */
const IMAGES = 'docs/images';
const KEY = `pok_${'s'.repeat(43)}`;
const AFTERNOON_MS = 3 * 60 * 60 * 1000;
const CONSOLE = 'packages/owner-app/console';

/**
 * A clock that advances 500 ms at each reading. A session that is played within seconds then seems to have taken an afternoon.
 */
function createHurryingClock(start: number): Clock {
  let now = start;
  return {
    now: () => {
      now += 500;
      return now;
    },
    after: systemClock.after,
  };
}

/** Plays a mission up to the step that the owner takes in the console. */
async function play(parley: Parley, name: MissionName, isNext: (step: Step) => boolean): Promise<string> {
  const mission = await loadMission(name);
  const whole = mission.moderation ? withModerator(mission) : mission;
  let isOver = false;
  const parts = PARTS.map((part) => [
    part,
    whole[part].filter((step) => {
      isOver ||= isNext(step);
      return !isOver;
    }),
  ]);
  const owner = parley.owner(OWNER_ID);
  const agents = async ({ code, role }: { code: string; role: string }) => {
    const { token } = await parley.redeem({ code, client_type: role === 'agent_b' ? 'codex' : 'claude-code' });
    return (tool: string, input: object) => parley.agent(token).call(tool as 'read_task', input as never);
  };
  const { sessionId } = await runMission({ ...whole, ...Object.fromEntries(parts) }, { owner, agents });
  return sessionId;
}

const calls =
  (name: string, input: Readonly<Record<string, unknown>> = {}) =>
  ({ call, input: given }: Step): boolean =>
    call === name && Object.entries(input).every(([member, value]) => given[member] === value);

interface Studio {
  readonly url: string;
  readonly context: BrowserContext;
  readonly planning: string;
  readonly approval: string;
  readonly verifying: string;
}

async function open({ context, url }: Studio, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/owner/${path}`);
  await page.getByText('Loading…').waitFor({ state: 'hidden' });
  return page;
}

const live = (page: Page): Promise<void> =>
  page
    .getByRole('status')
    .filter({ hasText: /^live$/ })
    .waitFor();

const PICTURES: Readonly<Record<string, (studio: Studio) => Promise<Page>>> = {
  sessions: (studio) => open(studio, ''),
  async transcript(studio) {
    const page = await open(studio, `sessions/${studio.planning}`);
    await live(page);
    return page;
  },
  async approving(studio) {
    const page = await open(studio, `sessions/${studio.approval}/contract`);
    await live(page);
    await page.getByRole('button', { name: 'Approve this revision' }).click();
    await page.getByRole('dialog').waitFor();
    return page;
  },
  async verifying(studio) {
    const page = await open(studio, `sessions/${studio.verifying}/verify`);
    await live(page);
    return page;
  },
  async people(studio) {
    const page = await open(studio, `sessions/${studio.planning}/people`);
    await live(page);
    return page;
  },
};

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/owner/`);
  await page.getByLabel('Owner key').fill(KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
  await page.close();
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-console-'));
  const clock = createHurryingClock(Date.now() - AFTERNOON_MS);
  const storage = createMemoryStorage();
  const parley = await createParley({ storage, clock });
  const verifying = await play(parley, 'signed-webhooks', calls('verify_submit_fix'));
  const approval = await play(parley, 'offline-sync', calls('approveContract'));
  const planning = await play(parley, 'payment-capture', calls('answerQuestion'));
  await build({ root: CONSOLE, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
  const consoleFiles = readConsole(folder);
  const app = createOwnerApp({ parley, storage, ownerKey: await openOwnerKey('', KEY), consoleFiles });
  const { url, close } = await serve(app, { host: '127.0.0.1', port: 0, parley });
  const { executablePath, env } = await findChromium((text) => console.log(text));
  const browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const context = await browser.newContext({
    viewport: { width: 1080, height: 720 },
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await signIn(context, url);
  mkdirSync(IMAGES, { recursive: true });
  const wanted = process.argv.slice(2);
  for (const [name, take] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const page = await take({ url, context, planning, approval, verifying });
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    console.log(`${name}.png: taken`);
    await page.close();
  }
  await browser.close();
  await close();
  await parley.close();
  rmSync(folder, { recursive: true });
}

await main();
