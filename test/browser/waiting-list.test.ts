import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { signIn } from './support/console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const sessionOf = (title: string) => ({
  title,
  objective: 'Something is built.',
  requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
});

test('what waits in an old session is on the list and in the title, however many came since', async () => {
  const site = await openSite(openMemory());
  const { session_id: old } = await site.owner.createSession(sessionOf('The old one'));
  for (let count = 1; count <= 120; count += 1) {
    const { session_id } = await site.owner.createSession(sessionOf(`Newer ${count}`));
    await site.owner.start(session_id);
  }
  const { page } = await openPage();
  await signIn(page, site.url);
  const waits = page.getByRole('region', { name: 'Waits for you' });
  await waits.getByRole('link', { name: 'The old one' }).waitFor();
  expect(await page.title()).toBe('(1) Parley');

  await waits.getByRole('link', { name: 'The old one' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('banner').getByText('Nothing waits for you').waitFor();
  expect(await page.title()).toBe('Parley');
  expect((await site.owner.view(old)).state.status).toBe('ACTIVE');
});
