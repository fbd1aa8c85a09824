import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { signIn } from './support/console.ts';
import { calls, playAt, upTo } from './support/mission-cuts.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

test('what is typed while the palette is loaded is in its field', async () => {
  const site = await openSite(openMemory());
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  let deliver: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await page.route(/palette/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/palette/);
  await page.keyboard.press('Control+k');
  await asked;
  await page.keyboard.type('advisory');
  deliver();
  const field = page.getByRole('combobox', { name: 'A title, the beginning of an id, or words' });
  await field.waitFor();
  await page.keyboard.type(' lock');
  await expect.poll(() => field.inputValue()).toBe('advisory lock');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await expect.poll(() => field.inputValue()).toBe('');
  expect(errors).toEqual([]);
});

test('the hits of a search stay while one of them is shown', async () => {
  const site = await openSite(openMemory());
  for (const title of ['One session', 'Other session'])
    await site.owner.createSession({
      title,
      objective: 'A lighthouse is built.',
      requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
    });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('lighthouse');
  await page
    .getByRole('option', { name: 'Find “lighthouse” in the transcripts and contracts of all sessions' })
    .waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe('?words=lighthouse');
  const found = page.getByRole('region', { name: 'Found in transcripts and contracts' });
  await found.getByText('2 hits.', { exact: true }).waitFor();
  await found.getByRole('link', { name: 'One session #1' }).waitFor();
  expect(await seriousIssues(page)).toEqual([]);
  await found.getByRole('link', { name: 'Other session #1' }).click();
  await page.getByRole('heading', { name: 'Other session', level: 1 }).waitFor();
  await page.route('**/api/find*', (route) => route.abort());
  await page.goBack();
  await found.getByText('2 hits.', { exact: true }).waitFor();
  expect(await page.getByRole('textbox').inputValue()).toBe('lighthouse');
  expect(await found.locator('time').first().textContent()).toMatch(/\d{4}/);
  expect(errors).toEqual([]);
});

test('Ctrl+K opens a session by words of its title or the beginning of its id, and a record of it, by keyboard alone', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  const { title } = await site.owner.view(sessionId);
  const { session_id: other } = await site.owner.createSession({
    title: 'Cursor pagination',
    objective: 'Something is built.',
    requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
  });
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Type a title, the beginning of an id, or words' }).waitFor();
  await page.getByRole('option', { name: title }).waitFor();
  await page
    .getByText(
      'Type part of a title, the beginning of the id of a session, or words that somebody said. Put a phrase in double quotes.',
    )
    .waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
  expect(await seriousIssues(page)).toEqual([]);
  await page.keyboard.type('pagination cur');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual([
      'Find “pagination cur” in the transcripts and contracts of all sessions',
      'Cursor pagination PLANNING, DRAFT',
    ]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading('Cursor pagination').waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Type a title, the beginning of an id, or words' }).waitFor();
  await page.keyboard.type(sessionId.slice(0, 6));
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await heading(title).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Type a title, the beginning of an id, or words' }).waitFor();
  await page.keyboard.type('q_1');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/owner/sessions/${sessionId}/q_1`);
  const record = page.getByRole('dialog', { name: 'q_1' });
  await record.waitFor();
  await page.keyboard.press('Escape');
  await record.waitFor({ state: 'hidden' });

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Type a title, the beginning of an id, or words' }).waitFor();
  await page.keyboard.type('idempotency key');
  await page.keyboard.press('Enter');
  const found = page.getByRole('region', { name: 'Found in transcripts and contracts' });
  await found.getByRole('link').first().waitFor();
  const links = await found.getByRole('link').allTextContents();
  expect(links.filter((text) => !/ (?:#|[a-z]+_)\d+$/.test(text))).toEqual([]);
  expect((await found.locator('mark').allTextContents()).map((word) => word.toLowerCase())).toContain('idempotency');
  expect(other).not.toBe(sessionId);
  expect(errors).toEqual([]);
});

test('a hit leads to its words in an unfolded message, in a record, and in a contract that names the latest revision', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  const highlighted = () =>
    page.evaluate("[...(CSS.highlights.get('marked-words') ?? [])].map((range) => range.toString().toLowerCase())");
  const isOnScreen = () =>
    page.evaluate(
      "[...(CSS.highlights.get('marked-words') ?? [])].some((range) => { const { top, bottom } = range.getBoundingClientRect(); return top > 0 && bottom > 0 && bottom <= innerHeight; })",
    );
  const open = async (words: string, link: RegExp) => {
    await page.goto(`${site.url}/owner/find?words=${encodeURIComponent(words)}`);
    const found = page.getByRole('region', { name: 'Found in transcripts and contracts' });
    await found.getByRole('link', { name: link }).first().click();
    await page.waitForURL(`**/owner/sessions/${sessionId}**`);
  };

  await open('booked.status', /#10$/);
  await page.locator('#m-10.marked').getByRole('button', { name: 'Fold the message' }).waitFor();
  await expect.poll(highlighted).toContain('booked.status');
  await expect.poll(isOnScreen).toBe(true);

  await open('"sorts by time"', /r_2/);
  await expect.poll(highlighted).toEqual(['sorts by time']);
  await expect.poll(isOnScreen).toBe(true);

  await page.goto(`${site.url}/owner/sessions/${sessionId}/r_1?show=read&mark=sorts+by+time`);
  await page.getByRole('heading', { name: 'r_1 (not the latest: r_2)' }).waitFor();
  await expect.poll(highlighted).toEqual(['sorts by time']);
  await expect.poll(isOnScreen).toBe(true);
  await page.getByRole('heading', { name: 'not the latest' }).getByRole('link').click();
  await page.getByRole('heading', { name: 'r_2', exact: true }).waitFor();
  await expect.poll(isOnScreen).toBe(true);

  await open('"stay below"', /r_2/);
  await expect.poll(highlighted).toContain('stay below');
  await expect.poll(isOnScreen).toBe(true);

  await open('mints', /d_2$/);
  await page.getByRole('dialog', { name: 'd_2' }).getByText('mints').first().waitFor();
  await expect.poll(isOnScreen).toBe(true);
  expect(errors).toEqual([]);
});
