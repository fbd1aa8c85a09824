import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/**
 * Creates a folder that is removed when the test ends. A test that runs concurrently passes its context, because Vitest
 * knows the current test of sequential tests alone.
 */
export async function newFolder(test: Pick<TestContext, 'onTestFinished'> = { onTestFinished }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-owner-app-'));
  test.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
