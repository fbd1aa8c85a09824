import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';

let launched: Promise<Browser> | undefined;

// All tests of this process share one browser. Playwright closes it when the process ends.
const browser = (): Promise<Browser> => (launched ??= launch());

function launch(): Promise<Browser> {
  const { executablePath, env } = inject('chromium');
  // Starts Chromium without its sandbox, which fails as root and in most containers. Only pages of this repository are
  // opened.
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox', '--disable-gpu'] });
}

/** A page and the errors that it reported. */
export interface Watched {
  readonly page: Page;
  /** Uncaught errors, and console errors except those about the network. */
  readonly errors: string[];
}

/** Opens a page in a new browser profile, which is closed at the end of the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await (await browser()).newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  return { page, errors };
}
