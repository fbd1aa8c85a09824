import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { SCREENS } from './screenshots/screens.ts';
import { openStudio, type Studio } from './screenshots/studio.ts';

/**
 * `pnpm docs:screenshots` plays sessions and takes the pictures of README.md and docs/owner-guide.md. With
 * `--every-screen folder` it takes every screen of the console instead, in both themes and three widths. If words
 * follow the options, such as `inbox` or `390-dark`, only pictures whose names contain one of the words are taken.
 */
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { 'every-screen': { type: 'string' } },
});

const IMAGES = 'docs/images';
/** The pictures in README.md and docs/owner-guide.md, and the screen that each picture shows. */
const PICTURES = {
  sessions: 'inbox',
  transcript: 'transcript',
  approving: 'approve-dialog',
  verifying: 'verify-failed',
  people: 'people-access',
} as const;

const THEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;
const SMALL_SESSIONS = 40;

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((word) => name.includes(word));

async function takePictures(studio: Studio): Promise<void> {
  const profiles = await studio.openProfiles({ viewport: { width: 1080, height: 720 } });
  for (const [name, screen] of Object.entries(PICTURES)) {
    if (!isWanted(name)) continue;
    const page = await SCREENS[screen](studio, profiles);
    await take(page, join(IMAGES, `${name}.png`));
  }
}

async function takeEveryScreen(studio: Studio, folder: string): Promise<void> {
  for (const colorScheme of THEMES)
    for (const viewport of SIZES) {
      const profiles = await studio.openProfiles({ viewport, colorScheme });
      for (const [name, show] of Object.entries(SCREENS)) {
        const picture = `${name}-${viewport.width}-${colorScheme}.png`;
        if (!isWanted(picture)) continue;
        try {
          await takeLong(await show(studio, profiles), join(folder, picture));
        } catch (error) {
          console.error(`${picture}: ${String(error)}`);
          process.exitCode = 1;
        }
        // Closes the pages: each open page of a session uses a connection, and a browser opens only a few to one
        // server.
        for (const profile of Object.values(profiles)) for (const page of profile.pages()) await page.close();
      }
      for (const profile of Object.values(profiles)) await profile.close();
    }
}

const MAX_HEIGHT = 2_400;
const IS_SCROLLED = "scrollY > 0 || document.querySelector('dialog[open]') !== null";

/**
 * Takes a picture of the page, at most `MAX_HEIGHT` high. If the page is scrolled or shows a dialog, takes only the
 * visible part.
 */
async function takeLong(page: Page, path: string): Promise<void> {
  const viewport = page.viewportSize();
  if (viewport && !(await page.evaluate(IS_SCROLLED))) {
    const height: number = await page.evaluate('document.documentElement.scrollHeight');
    await page.setViewportSize({ ...viewport, height: Math.min(Math.max(height, viewport.height), MAX_HEIGHT) });
  }
  await take(page, path);
}

async function take(page: Page, path: string): Promise<void> {
  await page.screenshot({ path });
  await page.close();
  console.log(`${path}: taken`);
}

const folder = values['every-screen'];
mkdirSync(folder ?? IMAGES, { recursive: true });
const studio = await openStudio(folder === undefined ? 0 : SMALL_SESSIONS);
await (folder === undefined ? takePictures(studio) : takeEveryScreen(studio, folder));
await studio.close();
