import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

interface Contract {
  readonly site: Site;
  readonly page: Page;
  readonly sessionId: string;
  readonly patch: (ops: readonly object[]) => Promise<unknown>;
}

/** Opens a contract whose revision r_2 waits for approval. */
async function openContract(): Promise<Contract> {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('approveContract'));
  const { sessionId, agents } = await playAt(site, mission);
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  const { contract_author } = await agents.agent_a('read_session_state', {});
  const author = contract_author === 'agent_a' ? agents.agent_a : agents.agent_b;
  const patch = (ops: readonly object[]) =>
    author('patch_contract', { expected_parent_id: 'r_2', reason: 'A change of mind.', ops });
  return { site, page, sessionId, patch };
}

test('says what blocks the approval without the names of tools, and what the owner can do', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('answerQuestion')));
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  const panel = page.getByRole('region', { name: /^What blocks the approval/ });
  const question = panel.getByRole('listitem').filter({ hasText: 'The blocking question q_4 is not answered yet.' });
  await question.getByText('You', { exact: true }).waitFor();
  await question.getByText('Answer question q_4.').waitFor();
  expect(await question.getByRole('link', { name: 'q_4' }).count()).toBe(2);
  expect(await panel.textContent()).not.toMatch(/answerQuestion|elect_contract_author|QUESTION_UNANSWERED/);
});

test.each(['Side by side', 'Text diff'])('a diff uses the width it has: %s', async (way) => {
  const { page } = await openContract();
  await page.getByRole('button', { name: way }).click();
  await page.locator('.diff .line').first().waitFor();
  await expect
    .poll(() => page.evaluate("getComputedStyle(document.querySelector('.diff .line')).display"))
    .toBe('table-cell');
  const numberWidth = await page
    .locator('.diff td.number')
    .first()
    .evaluate((element) => element.clientWidth);
  expect(numberWidth).toBeLessThan(80);
});

test('shows how the contract meets each requirement, and what of it is gone since', async () => {
  const { site, page, sessionId, patch } = await openContract();
  const { preflight, requirements } = await site.owner.view(sessionId);
  const panel = page.getByRole('region', { name: /^Preflight/ });
  await panel.getByText('complete').waitFor();
  await panel.getByText('It maps 4 of 4 requirements to the parts of the contract that meet them.').waitFor();
  const section = page.locator('#section-requirements');
  for (const { text } of requirements) await section.getByText(text).waitFor();
  for (const { decisions, tasks, tests, gates } of preflight?.mappings ?? [])
    for (const target of [...decisions, ...tasks, ...tests, ...gates])
      await section.getByText(target).first().waitFor();

  // A task or a test that names a requirement maps it, so that only the preflight maps these any more.
  const { tasks, tests } = Object((await site.owner.plan(sessionId)).contract);
  const unnamed = Object.entries({ tasks, tests }).flatMap(([kind, parts]) =>
    parts.map((_: unknown, index: number) => ({ op: 'replace', path: `/${kind}/${index}/requirements`, value: [] })),
  );
  await patch([{ op: 'replace', path: '/tests/0/id', value: 'v-renamed' }, ...unnamed]);
  await panel.getByText('no longer matches').waitFor();
  await panel.getByText('not in the contract:').first().waitFor();
});

test('shows a text that the parser of Markdown would take minutes for as it is written', async () => {
  const { page, patch } = await openContract();
  const reader = page.locator('.revision-reader');
  await reader.getByRole('heading', { level: 3 }).first().waitFor();
  const summary = `${'x[^a'.repeat(20_000)}${'b]'.repeat(20_000)}`;
  await patch([{ op: 'replace', path: '/summary', value: summary }]);
  await page.getByText('This text has too much Markdown markup to format. It is shown as plain text.').waitFor();
  await expect.poll(() => reader.locator('pre').first().textContent()).toContain('x[^ax[^a');
  await expect.poll(() => reader.locator('#section-summary .markdown h3').count()).toBe(0);
});

test('offers nothing on an open finding once the session is over', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('submit_final_review')));
  const { page } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  const override = page.getByRole('button', { name: 'Override f_1' });
  await override.waitFor();
  await site.owner.end(sessionId, { end_reason: 'CANCELLED' });
  await page.getByText('ENDED', { exact: true }).waitFor();
  await page.getByText('f_1', { exact: true }).first().waitFor();
  await expect.poll(() => override.count()).toBe(0);
});
