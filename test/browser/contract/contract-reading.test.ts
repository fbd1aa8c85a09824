import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { joinSession } from '../../support/join-session.ts';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { largeContract, REQUIREMENTS } from '../support/large-contract.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

interface Opened {
  readonly site: Site;
  readonly page: Page;
  readonly errors: readonly string[];
}

async function openContract(width: number, contract: Record<string, unknown> = largeContract()): Promise<Opened> {
  const site = await openSite(openMemory());
  const session = { title: 'Captures', objective: 'Each payment once.', requirements: REQUIREMENTS };
  const { sessionId, tokens } = await joinSession(site, { session, withModerator: false });
  const [a, b] = [site.parley.agent(tokens.agent_a), site.parley.agent(tokens.agent_b)];
  await a.call('submit_decision', { topic: 'Retries', position: 'The key is the **order id**.', accept: true });
  await b.call('accept_decision', { decision_id: 'd_1' });
  for (const agent of [a, b]) await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'It knows.' });
  await a.call('submit_contract', { contract, expected_parent_id: '', reason: 'First.' });
  const { page, errors } = await openPage({ viewport: { width, height: 900 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  await page.getByRole('heading', { name: 'Interfaces', level: 3 }).waitFor();
  return { site, page, errors };
}

const topOf = (page: Page, id: string): Promise<number> =>
  page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`);
const panel = (page: Page) => page.locator('.side-panel');
const outline = (page: Page) => page.getByRole('navigation', { name: 'Outline of the contract' });

test('a contract of 44 kB is read section by section, with an outline that stays and marks the section', async () => {
  const { page, errors } = await openContract(1_440);
  expect(JSON.stringify(largeContract()).length).toBeGreaterThan(44_000);
  const interfaces = page.getByRole('region', { name: 'Interfaces' });
  await interfaces
    .getByRole('region', { name: 'POST /v1/captures/0' })
    .getByRole('cell', { name: 'LEDGER_BUSY' })
    .waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'Summary' }).locator('strong').textContent())
    .toBe('exactly once');
  await expect.poll(() => page.locator('.graph .box').count()).toBe(20);
  await expect.poll(() => page.getByText('graph LR').count()).toBe(0);
  await expect.poll(() => page.getByText('A payment is captured once.').count()).toBe(1);

  await page.getByRole('row', { name: 'amount.currency required always "EUR"' }).waitFor();
  await page.locator('#part-req-1').getByText('A repeated key captures nothing.').waitFor();

  await outline(page).getByRole('link', { name: 'Tests 20' }).click();
  await outline(page).locator('[aria-current="location"]', { hasText: 'Tests' }).waitFor();
  expect(await topOf(page, 'section-tests')).toBeLessThan(100);
  await expect.poll(() => outline(page).evaluate((nav) => nav.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
  await outline(page).getByRole('link', { name: 'test-7', exact: true }).click();
  expect(await topOf(page, 'part-test-7')).toBeLessThan(100);

  const width = await page
    .locator('#section-summary .markdown p')
    .first()
    .evaluate((element) => element.clientWidth);
  expect(width).toBeLessThan(620);
  expect(errors).toEqual([]);
});

test('the files of the contract can be read before the approval', async () => {
  const { page } = await openContract(1_024);
  const artifacts = page.getByRole('region', { name: 'Artifacts' });
  await artifacts.getByText('orders.csv').click();
  await artifacts.getByText('o-1001;4990;EUR').waitFor();
  await artifacts.getByText('runbook.md').click();
  await artifacts.getByRole('heading', { name: 'Runbook' }).waitFor();
});

describe.each([1_440, 1_024, 390])('%i px wide', (width) => {
  test('an id opens its record beside the text, by keyboard, and the focus returns', async () => {
    const { site, page } = await openContract(width);
    const link = page.locator('#part-task-9').getByRole('link', { name: 'test-9', exact: true });
    const source = page.locator('#part-task-9 h4 a');
    await source.focus();
    const before = await topOf(page, 'part-task-9');
    await page.keyboard.press('Enter');
    await panel(page).getByRole('heading', { name: 'task task-9' }).waitFor();
    expect(Math.abs((await topOf(page, 'part-task-9')) - before)).toBeLessThan(4);
    await expect.poll(() => link.count()).toBe(0);
    await panel(page).getByRole('link', { name: 'req-1' }).click();
    await panel(page).getByRole('heading', { name: 'requirement req-1' }).waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('task-9');

    await page.locator('#part-d_1').getByRole('link', { name: 'd_1' }).click();
    await panel(page).getByText('accepted by').first().waitFor();
    await expect.poll(() => panel(page).locator('strong').textContent()).toBe('order id');
    await panel(page).getByRole('button', { name: 'Close the panel' }).click();
    await panel(page).waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(site.failures).toEqual([]);
  });
});

test('at 390 px the outline is a bar that names the section and unfolds', async () => {
  const { page } = await openContract(390);
  await outline(page)
    .getByRole('button', { name: /^☰ Outline|Outline/ })
    .click();
  await outline(page).getByRole('link', { name: 'Rollout' }).click();
  await outline(page).getByRole('button', { name: 'Outline: Rollout' }).waitFor();
  await expect.poll(() => outline(page).getByRole('link', { name: 'Rollout' }).isVisible()).toBe(false);
});

test('a contract that breaks its schema is shown whole, what has another form as JSON', async () => {
  const { page } = await openContract(1_024, {
    ...largeContract(),
    tasks: [{ id: 'task-x', title: 'Odd', deliverables: 'One text', extra: { deep: ['kept'] } }],
    surprise: 'A member that no schema knows.',
  });
  const tasks = page.getByRole('region', { name: 'Tasks' });
  await tasks.getByText('"One text"').waitFor();
  await tasks.getByText('"kept"').waitFor();
  await page.getByRole('region', { name: 'Other members' }).getByText('A member that no schema knows.').waitFor();
});
