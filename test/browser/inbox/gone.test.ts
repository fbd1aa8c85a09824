import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { goToTab, openSession, signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

test('a session that is erased while it is read says so, and is asked for no more', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await site.owner.deleteSession(sessionId);
  await page.getByRole('heading', { name: 'There is no such session', level: 1 }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes(sessionId)) asked.push(request.url().replace(site.url, ''));
  });
  await page.waitForResponse('**/api/inbox*');
  expect(asked).toEqual([]);
  await page.getByRole('link', { name: 'Back to your inbox' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  expect(errors).toEqual([]);
});

test('an address of no session says so', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/0000000000000000000000`);
  await page.getByRole('heading', { name: 'There is no such session', level: 1 }).waitFor();
});

test('removes an erased session from the list at once, also with special letters in its title', async () => {
  const site = await openSite(openMemory());
  const title = 'Refunds\u202Ednuf \u0007 twice  a day';
  const { session_id: sessionId } = await site.owner.createSession({ ...SESSION, title });
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByText('Refunds').first().waitFor();
  await page.locator('.session-item').getByRole('link').click();
  await goToTab(page, 'Log');
  await page.getByRole('button', { name: 'Erase this session…' }).click();
  const dialog = page.getByRole('dialog');
  const label = (await dialog.locator('label').textContent()) ?? '';
  expect(label).not.toContain('\u202E');
  await dialog.getByRole('textbox').fill(label.replace('Title: ', ''));
  await page.route('**/overview*', () => undefined);
  await dialog.getByRole('button', { name: 'Erase the session' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByText('0 of 0 sessions').waitFor();
  expect((await site.owner.listSessions()).sessions.map(({ session_id }) => session_id)).not.toContain(sessionId);
});
