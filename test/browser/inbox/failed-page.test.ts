import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};
const FAULT = { error: 'INTERNAL', message: 'The call failed.', hint: 'Wait.', trace_id: '4bf92f35' };

test('a session that cannot be read is named below the header, offers Try again, and is shown once it can be read', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.route('**/api/sessions/**', (route) => route.fulfill({ status: 500, json: FAULT }));
  await page.goto(`${site.url}/owner/sessions/${sessionId}`);
  await page.getByRole('heading', { name: /^The session .* could not be loaded$/, level: 1 }).waitFor();
  await page.getByText(`trace_id 4bf92f35 of the call /owner/api/sessions/${sessionId}`, { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Audit' }).waitFor();
  // The page also reads the session again by itself each second, so a click here would prove nothing.
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await page.unroute('**/api/sessions/**');
  await page.getByRole('heading', { name: 'Cursor pagination', level: 1 }).waitFor();
});

test('the console that cannot be loaded offers Try again', async () => {
  const site = await openSite(openMemory());
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.route('**/api/inbox*', (route) => route.fulfill({ status: 500, json: FAULT }));
  await page.reload();
  await page.getByRole('heading', { name: 'Parley could not be loaded', level: 1 }).waitFor();
  expect(await page.title()).toBe('Parley could not be loaded');
  await page.unroute('**/api/inbox*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
});

test('an action that fails shows the trace id and the failed call', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/${sessionId}`);
  await page.route('**/start', (route) => route.fulfill({ status: 500, json: FAULT }));
  await page.getByRole('button', { name: 'Start' }).first().click();
  await page.getByRole('button', { name: 'Yes, start' }).click();
  await page.getByText(`trace_id 4bf92f35 of the call /owner/api/sessions/${sessionId}/start`).waitFor();
});
