import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

let launched: Promise<Browser> | undefined;

// All tests of a worker share one browser. Playwright closes the browser when the process ends.
const browser = (): Promise<Browser> => (launched ??= launch());

function launch(): Promise<Browser> {
  const { executablePath, env } = inject('chromium');
  // The sandbox of Chromium fails as root and in most containers. The tests open only pages of this repository.
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox', '--disable-gpu'] });
}

export interface Watched {
  readonly page: Page;
  /** Uncaught errors of the page, and its console errors except those about failed requests. */
  readonly errors: string[];
}

/** Opens a page in a new browser profile. The profile is closed when the test ends. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await (await browser()).newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  onTestFinished(async () => {
    // A request that a test changes may be on its way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  return { page, errors };
}
