import { loadMission } from '@parley/missions';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

/** The labels of the buttons and of the links that look like buttons, by task. */
async function buttonsIn(place: Locator): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const task of await place.getByRole('listitem').all())
    found[(await task.locator('.task').textContent()) ?? ''] = await task
      .locator('.buttons :is(a, button)')
      .allTextContents();
  return found;
}

async function playScenes(site: Site): Promise<readonly (readonly [string, Record<string, string[]>])[]> {
  const plain = await loadMission('payment-capture');
  const moderated = await loadModerated();
  const { session_id: draft } = await site.owner.createSession(plain.session);
  const play = async (...cut: Parameters<typeof upTo>): Promise<string> => (await playAt(site, upTo(...cut))).sessionId;
  return [
    [draft, { Start: ['Open the invitations', 'Start'] }],
    [await play(plain, calls('answerQuestion')), { 'Answer q_4': ['Answer…', 'Read it'] }],
    [await play(plain, calls('approveContract')), { 'Approve r_2': ['Read it', 'Approve…', 'Request changes…'] }],
    [
      await play(plain, calls('authorize', { stage: 'build' })),
      { 'Authorize the build': ['Authorize the build…', 'Read it', 'Request changes…'] },
    ],
    [
      await play(plain, calls('authorize', { stage: 'deployment' })),
      { 'Authorize the deployment': ['Authorize the deployment…', 'Read the test board', 'Request changes…'] },
    ],
    [
      await play(plain, calls('authorize', { stage: 'activation' })),
      { 'Authorize the activation': ['Authorize the activation…', 'Read the test board'] },
    ],
    [await play(plain, calls('end')), { End: ['End…'] }],
    [await play(moderated, calls('submit_contract_review')), { 'Decide on h_1': ['Release the hold…', 'Read it'] }],
  ];
}

test('a task has the same buttons in the inbox and on the page of its session, which has one field for an answer', async () => {
  const site = await openSite(openMemory());
  const scenes = await playScenes(site);
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByText('1 draft or paused session').click();
  for (const [sessionId, expected] of scenes) {
    const group = page.locator(`section[aria-labelledby="inbox-${sessionId}"]`);
    expect(await buttonsIn(group)).toEqual(expected);
  }
  for (const [sessionId, expected] of scenes) {
    await openSession(page, site.url, sessionId);
    // The tab Transcript has the field for the answer beside the messages.
    const isAsked = 'Answer q_4' in expected;
    expect(await buttonsIn(page.locator('.waits').first())).toMatchObject(
      isAsked ? { 'Answer q_4': ['Read it'] } : expected,
    );
  }
});

const scrolledInto = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);

const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

test.each([
  ['build', 'contract', 'Read it'],
  ['deployment', 'verify', 'Read the test board'],
] as const)('the task "Authorize the %s" leads to its button on the tab %s', async (stage, tab, reading) => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('authorize', { stage }));
  const { sessionId } = await playAt(site, mission);
  const { page } = await openPage({ viewport: { width: 390, height: 700 } });
  await signIn(page, site.url);
  const task = page.getByRole('link', { name: `Authorize the ${stage}`, exact: true });
  await task.click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/${tab}#authorize-${stage}`);
  await expect.poll(() => focused(page)).toBe(`Authorize the ${stage}…`);
  await expect.poll(() => scrolledInto(page, `#authorize-${stage} button`)).toBe(true);

  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('region', { name: 'Waits for you' }).getByRole('link', { name: reading }).click();
  await expect.poll(() => focused(page)).toBe(`Authorize the ${stage}…`);
  await expect.poll(() => scrolledInto(page, `#authorize-${stage} button`)).toBe(true);

  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Authorize the ${stage}` }).waitFor();
});

test('a contract is read where it differs from what was read last, then approved, or changes are requested', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  await site.owner.markRead(sessionId, { revision_id: 'r_1', sections: ['all'] });
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('link', { name: 'Read it' }).click();
  await page.waitForURL(`**/owner/sessions/${sessionId}/r_2#changes`);
  await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).waitFor();
  await expect.poll(() => scrolledInto(page, '#changes h2')).toBe(true);

  await page.getByRole('button', { name: 'JSON' }).click();
  const waits = page.getByRole('region', { name: 'Waits for you' });
  await waits.getByRole('link', { name: 'Read it' }).click();
  await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).waitFor();
  await expect.poll(() => scrolledInto(page, '#changes h2')).toBe(true);

  // The tab Contract has the other buttons of the task beside the hash. Until all is read, the next step is to read.
  expect(await waits.locator('.buttons :is(a, button)').allTextContents()).toEqual(['Read it']);
  const classOf = (name: string) => page.getByRole('button', { name }).getAttribute('class');
  expect(await classOf('Approve…')).toBeNull();
  await site.owner.markRead(sessionId, { revision_id: 'r_2', sections: ['all'] });
  await expect.poll(() => classOf('Approve…')).toBe('primary');
  expect(await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).count()).toBe(1);
  await expect.poll(() => waits.getByRole('link', { name: 'Read it' }).getAttribute('class')).toBe('button');
  expect(await page.getByRole('button', { name: 'Request changes…' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Approve…' }).click();
  await page.getByRole('dialog', { name: 'Approve r_2' }).getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('link', { name: 'Parley' }).click();
  await page.getByRole('button', { name: 'Request changes…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Request changes' });
  await dialog.getByLabel('Reason').fill('Say when a key expires.');
  await dialog.getByRole('button', { name: 'Send it back' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await site.owner.view(sessionId)).state.latest_revision?.revision_id).toBe('r_2');
  expect((await site.owner.view(sessionId)).waits).toEqual([]);
});

test('the second link of a draft, and of a session without rounds, leads to the named place', async () => {
  const site = await openSite(openMemory());
  const plain = await loadMission('payment-capture');
  const { session_id: draft } = await site.owner.createSession(plain.session);
  const planning = { ...plain, session: { ...plain.session, round_limit: 1 } };
  const { sessionId } = await playAt(site, upTo(planning, calls('answer_question')));
  const { page } = await openPage({ viewport: { width: 390, height: 700 } });
  await signIn(page, site.url);
  await page.getByText('1 draft or paused session').click();
  await page.getByRole('link', { name: 'Open the invitations' }).click();
  await page.waitForURL(`**/owner/sessions/${draft}/people#access-head`);
  await expect.poll(() => focused(page)).toBe('Access');
  await page.evaluate('scrollTo(0, 0)');
  await page.getByRole('link', { name: 'Open the invitations' }).click();
  await expect.poll(() => scrolledInto(page, '#access-head')).toBe(true);

  await page.getByRole('link', { name: 'Parley' }).click();
  await page.getByRole('link', { name: 'Choose the author' }).click();
  await page.waitForURL(`**/owner/sessions/${sessionId}#author-head`);
  await expect.poll(() => focused(page)).toBe('Contract Author');
  await expect.poll(() => scrolledInto(page, '#author-head')).toBe(true);
});
