import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { goToTab, openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { OWNER_KEY, openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const ANSWER = 'Yes, for 15 minutes; after that the shop shows a failure.';

interface Asked {
  readonly site: Site;
  readonly page: Page;
  readonly sessionId: string;
  readonly questionId: string;
  /** Advances the clock that determines when a sign-in expires. */
  readonly pass: (ms: number) => void;
}

/** Opens a session in which a question waits for the owner. Types an answer without sending it. */
async function openAsked(): Promise<Asked> {
  let now = Date.now();
  const site = await openSite(openMemory(), { now: () => now });
  const mission = upTo(await loadMission('payment-capture'), calls('answerQuestion'));
  const { sessionId } = await playAt(site, mission);
  const [question] = (await site.owner.view(sessionId)).questions.filter(({ to }) => to === 'owner');
  const questionId = question?.question_id ?? '';
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  await page.getByLabel(`Your answer to ${questionId}`).fill(ANSWER);
  const pass = (ms: number): void => {
    now += ms;
  };
  return { site, page, sessionId, questionId, pass };
}

const typed = ({ page, questionId }: Asked): Promise<string> =>
  page.getByLabel(`Your answer to ${questionId}`).inputValue();

const answerIn = async ({ site, sessionId, questionId }: Asked): Promise<string | null | undefined> =>
  (await site.owner.view(sessionId)).questions.find(({ question_id }) => question_id === questionId)?.answer;

const stored = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...sessionStorage })');

describe('an answer that was typed and not sent', () => {
  test('is still there after another tab of the session, and after a reload, until it is sent', async () => {
    const asked = await openAsked();
    const { page, questionId } = asked;
    await goToTab(page, 'People');
    await goToTab(page, 'Transcript');
    expect(await typed(asked)).toBe(ANSWER);
    await page.reload();
    expect(await typed(asked)).toBe(ANSWER);
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByLabel(`Your answer to ${questionId}`).waitFor({ state: 'hidden' });
    await expect.poll(() => stored(page)).not.toContain('15 minutes');
    await expect.poll(() => page.getByText('answered meanwhile').count()).toBe(0);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Questions');
  });

  test('is shown to be copied when the question was answered elsewhere', async () => {
    const { page, site, sessionId, questionId } = await openAsked();
    await site.owner.answerQuestion(sessionId, { question_id: questionId, text: 'No.' });
    const left = page.getByRole('status').filter({ hasText: `${questionId} was answered meanwhile` });
    await left.getByText(ANSWER).waitFor();
    await left.getByRole('button', { name: 'Copy' }).waitFor();
    await page.reload();
    await left.getByText(ANSWER).waitFor();
    await left.getByRole('button', { name: 'Discard what I typed' }).click();
    await left.waitFor({ state: 'hidden' });
    expect(await stored(page)).not.toContain('15 minutes');
  });

  test('outlives a sign-in that has ended, and can be sent after the next sign-in', async () => {
    const asked = await openAsked();
    const { page, questionId, pass } = asked;
    pass(13 * 3_600_000);
    // Dispatches the event instead of clicking: if the page has already found the sign-in expired, the dialog covers
    // the button.
    await page.getByRole('button', { name: 'Answer', exact: true, includeHidden: true }).dispatchEvent('click');
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByText('Your sign-in has ended.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await again.getByLabel('Owner key').fill(OWNER_KEY);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'hidden' });
    expect(await typed(asked)).toBe(ANSWER);
    expect(await answerIn(asked)).toBeNull();
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByLabel(`Your answer to ${questionId}`).waitFor({ state: 'hidden' });
    expect(await answerIn(asked)).toBe(ANSWER);
    await page
      .getByRole('status')
      .filter({ hasText: /^live$/ })
      .waitFor();
  });

  test('is forgotten when the owner signs out, and is never stored with a key in it', async () => {
    const { page, questionId } = await openAsked();
    const field = page.getByLabel(`Your answer to ${questionId}`);
    await field.fill(`The key is pok_${'x'.repeat(43)}.`);
    expect(await stored(page)).not.toContain('pok_');
    await field.fill(ANSWER);
    expect(await stored(page)).toContain('15 minutes');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Owner key').waitFor();
    expect(await stored(page)).not.toContain('15 minutes');
  });
});

test('the reason of a pause and a new session are kept over a reload', async () => {
  const { page, site } = await openAsked();
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByLabel('Reason').fill('Until the incident is over.');
  await page.reload();
  await page.getByRole('button', { name: 'Pause…' }).click();
  await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('Until the incident is over.');
  await page.goto(`${site.url}/owner/new`);
  await page.getByLabel('Title').fill('Refunds');
  await page.reload();
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Refunds');
});
