import { fileURLToPath } from 'node:url';
import type { Json } from '@parley/missions';
import type { Page } from 'playwright-core';

const MISSIONS = new URL('../../../packages/missions/', import.meta.url);

export async function createFromFile(page: Page, mission: string, { title }: Json): Promise<Json> {
  await page.getByRole('link', { name: 'New session' }).first().click();
  await page.getByLabel('Mission file').setInputFiles(fileURLToPath(new URL(`${mission}.json`, MISSIONS)));
  await page.getByRole('status').getByText('has filled the form').waitFor();
  await page.getByRole('button', { name: 'Create the session' }).click();
  await page.getByRole('heading', { name: String(title), level: 1 }).waitFor();
  return { session_id: new URL(page.url()).pathname.split('/').at(3) };
}
