import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { findChromium } from '../browser-chromium.ts';

const CONSOLE = fileURLToPath(new URL('../../packages/owner-app/console', import.meta.url));

/**
 * Provides tests with a browser as `inject('chromium')`, and with a console that is built from the sources as
 * `inject('consoleFolder')`.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  project.provide('chromium', await findChromium((text) => console.log(text)));
  const folder = mkdtempSync(join(tmpdir(), 'parley-console-'));
  // vitest sets `NODE_ENV` to `test`, with which the build would contain code for developers.
  const environment = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  await build({
    root: CONSOLE,
    configFile: join(CONSOLE, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'production',
    resolve: { conditions: ['@parley/source'] },
    build: { outDir: folder, emptyOutDir: true },
  });
  process.env.NODE_ENV = environment;
  project.provide('consoleFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
