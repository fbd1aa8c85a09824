import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { message, openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const sessionOf = (title: string) => ({
  title,
  objective: 'Something is built.',
  requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
});

test('one control pauses all sessions that run, and its undo in another browser resumes exactly these', async () => {
  const site = await openSite(openMemory());
  const ids: string[] = [];
  for (const title of ['Runs', 'Runs too', 'Was paused before', 'A draft'])
    ids.push((await site.owner.createSession(sessionOf(title))).session_id);
  for (const id of ids.slice(0, 3)) await site.owner.start(id);
  await site.owner.pause(ids[2] ?? '', { reason: 'Until Monday.' });
  const statuses = async () => Promise.all(ids.map(async (id) => (await site.owner.view(id)).state.status));
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('button', { name: 'Stop all…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop everything' });
  await dialog.getByText('Every session that runs is paused (running now: 2).').waitFor();
  await dialog
    .getByText('To resume exactly these sessions, press “Undo: resume them” in the bar above each page.')
    .waitFor();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED', 'DRAFT']);
  await page.getByRole('button', { name: 'Stop all…' }).click();
  const confirm = dialog.getByRole('button', { name: 'Stop everything' });
  expect(await confirm.getAttribute('class')).toBe('danger');
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await page.keyboard.press('Enter');
  await page.getByText('2 of 2 sessions paused.').waitFor();
  await page.getByText('2 paused.', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop all…' }).waitFor({ state: 'detached' });
  await page.getByText('2 sessions are stopped').waitFor();
  await page.getByText('2 drafts and paused sessions').waitFor();
  expect(await statuses()).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'DRAFT']);
  const [first] = (await site.owner.overview()).sessions.filter(({ session_id }) => session_id === ids[0]);
  expect(first?.stopped?.pause_id).toMatch(/^[A-Za-z0-9]{16}$/);
  await openSession(page, site.url, ids[0] ?? '');
  await message(page, 'Stopped by the owner.').waitFor();
  await page.getByText('2 paused.', { exact: true }).waitFor();
  const { page: phone } = await openPage({ viewport: { width: 390, height: 900 } });
  await signIn(phone, site.url);
  await phone.getByText('2 paused.', { exact: true }).waitFor();
  await phone.goto(`${site.url}/owner/sessions`);
  await expect.poll(() => phone.locator('tbody').getByText('PAUSED', { exact: true }).count()).toBe(3);
  await phone.getByRole('button', { name: 'Undo: resume them' }).click();
  await phone.getByText('2 sessions resumed.').waitFor();
  expect(await phone.locator('tbody').getByText('PAUSED', { exact: true }).count()).toBe(1);
  for (const place of [phone, page]) await place.getByText('2 paused.', { exact: true }).waitFor({ state: 'detached' });
  expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE', 'PAUSED', 'DRAFT']);
  expect(errors).toEqual([]);
});

test('while all sessions are stopped, a card shows its tasks without a button that resumes one session', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await page.getByText('1 waits for you').waitFor();
  await page.getByRole('button', { name: 'Stop all…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
  await page.getByText('1 task waits in 1 stopped session').waitFor();
  const card = page.locator(`section[aria-labelledby="inbox-${sessionId}"]`);
  await card.getByRole('button', { name: 'Answer…' }).waitFor();
  expect(await card.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Leave them paused' }).click();
  await card.getByRole('button', { name: 'Resume' }).waitFor();
  expect(errors).toEqual([]);
});
