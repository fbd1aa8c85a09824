import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { signIn } from '../support/console.ts';
import { calls, loadModerated, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

const sessionOf = (title: string) => ({
  title,
  objective: 'Something is built.',
  requirements: [{ requirement_id: 'req-1', text: 'It works.' }],
});

test('an answer, an approval and a recommendation are given without leaving the inbox', async () => {
  const site = await openSite(openMemory());
  const plain = await loadMission('payment-capture');
  const asked = (await playAt(site, upTo(plain, calls('answerQuestion')))).sessionId;
  const certified = (await playAt(site, upTo(plain, calls('approveContract')))).sessionId;
  const advised = (await playAt(site, upTo(await loadModerated(), calls('respondRecommendation')))).sessionId;
  const [question] = (await site.owner.view(asked)).waits;
  const [advice] = (await site.owner.view(advised)).waits.filter(({ kind }) => kind === 'RECOMMENDATION');
  const { page, errors } = await openPage();
  await signIn(page, site.url);
  const groupOf = (sessionId: string) => page.locator(`section[aria-labelledby="inbox-${sessionId}"]`);

  const proposals = groupOf(asked).locator('dt', { hasText: 'proposes' });
  await proposals.first().waitFor();
  const objection = groupOf(asked).getByText('Support has a button that captures by hand.');
  expect(await objection.isVisible()).toBe(true);
  expect(await groupOf(asked).locator('details > .markdown').isVisible()).toBe(false);
  await groupOf(asked)
    .getByText(/^The turn that asks q_\d+$/)
    .click();
  await groupOf(asked).locator('details > .markdown').waitFor();
  // The fold does not repeat the proposal and the objection, which the card shows in full.
  expect([await proposals.count(), await objection.count()]).toEqual([1, 1]);
  await groupOf(asked).getByRole('button', { name: 'Answer…' }).click();
  const field = page.getByLabel(`Your answer to ${question?.record.id}`);
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
  await page.keyboard.type('Yes, for 15 minutes.');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await field.waitFor({ state: 'hidden' });
  const answered = (await site.owner.view(asked)).questions.find(
    ({ question_id }) => question_id === question?.record.id,
  );
  expect(answered?.answer).toBe('Yes, for 15 minutes.');

  await groupOf(advised).getByRole('button', { name: 'Accept or reject…' }).click();
  await groupOf(advised).getByLabel(`Note on ${advice?.record.id}`).fill('As you say.');
  await groupOf(advised).getByRole('button', { name: 'Accept', exact: true }).click();
  await groupOf(advised).getByLabel(`Note on ${advice?.record.id}`).waitFor({ state: 'hidden' });
  expect((await site.owner.view(advised)).recommendations.at(-1)?.answer).toMatchObject({
    decision: 'ACCEPT',
    note: 'As you say.',
  });

  await groupOf(certified).getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve r_2' });
  const hash = (await dialog.locator('.full-hash').textContent()) ?? '';
  await dialog.getByLabel('The first 8 characters of the hash').fill(hash.trim());
  await dialog.getByRole('button', { name: 'Approve r_2' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await site.owner.view(certified)).state.phase).toBe('READINESS');
  expect(new URL(page.url()).pathname).toBe('/owner/');
  expect(errors).toEqual([]);
});

test('drafts and paused sessions are folded away and not counted', async () => {
  const site = await openSite(openMemory());
  const { session_id: draft } = await site.owner.createSession(sessionOf('A draft'));
  const { page } = await openPage();
  await signIn(page, site.url);
  await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  await expect.poll(() => page.title()).toBe('Parley');
  await expect.poll(() => page.getByRole('link', { name: 'A draft' }).isVisible()).toBe(false);
  await page.getByText('1 draft or paused session').click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('group', { name: 'No agent has joined. Start the session without agents?' }).waitFor();
  expect((await site.owner.view(draft)).state.status).toBe('DRAFT');
  await page.getByRole('button', { name: 'No', exact: true }).click();
  const { code } = await site.owner.invite(draft, { role: 'agent_a' });
  await site.parley.redeem({ code });
  await page.getByText(/agent_b\)? has not joined: invite it/).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('group', { name: /has joined\. Start the session without the other agent\?$/ }).waitFor();
  await page.getByRole('button', { name: 'Yes, start' }).click();
  await expect.poll(async () => (await site.owner.view(draft)).state.status).toBe('ACTIVE');
});
