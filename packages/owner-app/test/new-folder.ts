import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/**
 * Creates a folder that is removed when the test ends. A concurrent test passes its context, because Vitest cannot
 * detect which of several concurrent tests calls `onTestFinished`.
 */
export async function newFolder(test: Pick<TestContext, 'onTestFinished'> = { onTestFinished }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-owner-app-'));
  test.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
