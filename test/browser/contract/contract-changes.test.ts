import { seenIn } from '@parley/core/testing';
import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { joinSession } from '../../support/join-session.ts';
import { seriousIssues } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { largeContract, REQUIREMENTS } from '../support/large-contract.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite, type Site } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

interface Revised {
  readonly site: Site;
  readonly page: Page;
  readonly sessionId: string;
  /** The agent that writes the contract. */
  readonly agent: ReturnType<Site['parley']['agent']>;
}

/** Opens a contract after the owner has read r_1 and requested changes, and the author has submitted r_2. */
async function openRevised(width: number): Promise<Revised> {
  const site = await openSite(openMemory());
  const session = { title: 'Captures', objective: 'Each payment once.', requirements: REQUIREMENTS };
  const { sessionId, tokens } = await joinSession(site, { session, withModerator: false });
  const [a, b] = [site.parley.agent(tokens.agent_a), site.parley.agent(tokens.agent_b)];
  for (const agent of [a, b]) await agent.call('elect_contract_author', { candidate: 'agent_a', reason: 'It knows.' });
  await a.call('submit_contract', { contract: largeContract(), expected_parent_id: '', reason: 'First.' });
  await site.owner.markRead(sessionId, { revision_id: 'r_1', sections: ['all'] });
  await site.owner.requestChanges(sessionId, {
    reason: 'A busy ledger has to say 423, and roll back within a day.',
    seen: await seenIn(site.owner, sessionId),
  });
  const [request] = (await site.owner.brief(sessionId, { stage: 'approval' })).requests;
  await a.call('patch_contract', {
    expected_parent_id: 'r_1',
    reason: 'As the owner asked.',
    causes: [String(request?.message_id)],
    ops: [
      { op: 'replace', path: '/interfaces/3/operations/0/errors/0/status', value: 423 },
      { op: 'replace', path: '/rollout/rollback', value: 'agent_a goes back first, within a day.' },
    ],
  });
  const { page } = await openPage({ viewport: { width, height: 900 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  return { site, page, sessionId, agent: a };
}

const unread = async ({ site, sessionId }: Revised): Promise<readonly string[]> =>
  (await site.owner.brief(sessionId, { stage: 'approval' })).unread;

test('opens on what changed since the last reading, with its cause, and a section is marked as read', async () => {
  const revised = await openRevised(1_440);
  const { site, page } = revised;
  await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).waitFor();
  const interfaces = page.getByRole('region', { name: /^Interfaces/ });
  await interfaces.getByText('503 → 423').waitFor();
  const rollout = page.getByRole('region', { name: /^Rollout/ });
  await rollout.locator('ins').first().waitFor();
  await expect
    .poll(() => page.locator('.changes h3').allTextContents())
    .toEqual(['Your requests for changes', 'Interfaces 1', 'Rollout 1']);
  await rollout.getByText('in r_2').waitFor();
  await page.getByText(/^r_2 because of your request #\d+$/).waitFor();
  expect(await unread(revised)).toEqual(['interfaces', 'rollout']);

  await interfaces.getByRole('button', { name: 'Mark “Interfaces” read' }).click();
  await interfaces.getByText('✓ read').waitFor();
  await expect.poll(async () => (await unread(revised)).includes('interfaces')).toBe(false);
  expect(await seriousIssues(page)).toEqual([]);

  await page.getByRole('button', { name: 'Whole contract' }).click();
  await page.getByRole('region', { name: 'Tests' }).getByText('✓ read').waitFor();
  await page.getByRole('heading', { name: 'Rollout 1 change since r_1' }).waitFor();
  await expect.poll(() => page.locator('.part h4 .badge').allTextContents()).toEqual(['changed']);
  await page.getByRole('button', { name: 'Next unread section: Rollout' }).first().click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('section-rollout');

  // A step back shows the whole contract again.
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Whole contract', pressed: true }).waitFor();
  expect(site.failures).toEqual([]);
});

test('page, dialog, inbox and brief count the read sections alike, and show a request that no revision names', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('payment-capture'), calls('approveContract'));
  const { sessionId, agents } = await playAt(site, mission);
  const some = ['summary', 'title', 'scope', 'schema_version', 'fixture_version', 'tests', 'rollout'];
  await site.owner.markRead(sessionId, { revision_id: 'r_2', sections: some });
  await site.owner.requestChanges(sessionId, {
    reason: 'Say who sets the state by hand.',
    seen: await seenIn(site.owner, sessionId),
  });
  const author = (await agents.agent_a('read_session_state', {})).contract_author === 'agent_a' ? 'agent_a' : 'agent_b';
  await agents[author]('patch_contract', {
    expected_parent_id: 'r_2',
    reason: 'The rollback is clearer.',
    ops: [{ op: 'replace', path: '/rollout/rollback', value: 'The provider goes back first, within a day.' }],
  });
  const { revision_id, content_hash } = await site.owner.plan(sessionId, {});
  for (const agent of [agents.agent_a, agents.agent_b])
    await agent('submit_final_review', { revision_id, content_hash, verdict: 'APPROVE', caveats: [] });
  const { reading } = await site.owner.brief(sessionId, { stage: 'approval' });
  expect(reading).toEqual({ read: 2, of: 12 });

  const { page, errors } = await openPage({ viewport: { width: 1_440, height: 300 } });
  await signIn(page, site.url);
  const read =
    /^2 of 12 sections read; not read: Rollout; unchanged, but not read in r_2 either: Requirements, Decisions, Interfaces, Data models, Tasks, Gates, Risks and safety, Dependencies, Artifacts$/;
  const request = 'Say who sets the state by hand.';
  const check = /^r_3 was submitted after this request and does not name it as a cause: ./;
  const card = page.getByRole('listitem').filter({ hasText: 'Approve r_3' });
  for (const text of [read, request, check]) await card.getByText(text).waitFor();
  await openSession(page, site.url, sessionId, 'Contract');
  const reader = page.locator('.revision-reader');
  await reader.getByText(read).waitFor();
  for (const text of [request, check]) await reader.getByText(text).waitFor();
  await reader.getByText(/^Unchanged, but not read in r_2 either: Requirements/).waitFor();
  await page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve r_3' });
  for (const text of [read, request, check]) await dialog.getByText(text).waitFor();
  await dialog.getByRole('link', { name: 'Requirements', exact: true }).click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('section-requirements');
  expect(errors).toEqual([]);
});

test('a section that a new revision changes again is unread on the open page', async () => {
  const { page, agent } = await openRevised(1_440);
  const interfaces = page.getByRole('region', { name: /^Interfaces/ });
  await interfaces.getByRole('button', { name: 'Mark “Interfaces” read' }).click();
  await interfaces.getByText('✓ read').waitFor();
  await agent.call('patch_contract', {
    expected_parent_id: 'r_2',
    reason: 'The status is 429.',
    ops: [{ op: 'replace', path: '/interfaces/3/operations/0/errors/0/status', value: 429 }],
  });
  await interfaces.getByText('423 → 429').waitFor();
  await interfaces.getByRole('button', { name: 'Mark “Interfaces” read' }).waitFor();
});

test('a section is shown as read once the mark is stored, and no mark is lost if the page is left', async () => {
  const revised = await openRevised(1_440);
  const { site, page } = revised;
  const interfaces = page.getByRole('region', { name: /^Interfaces/ });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/mark-read', async (call) => {
    await held;
    await call.continue();
  });
  const asked = page.waitForRequest('**/mark-read');
  await interfaces.getByRole('button', { name: 'Mark “Interfaces” read' }).click();
  await asked;
  expect(await interfaces.getByText('✓ read').count()).toBe(0);
  release();
  await interfaces.getByText('✓ read').waitFor();
  expect(await unread(revised)).not.toContain('interfaces');

  await page.unroute('**/mark-read');
  await page.getByRole('button', { name: 'Mark “Rollout” read' }).click();
  await page.goto(`${site.url}/owner/`);
  await expect.poll(() => unread(revised)).not.toContain('rollout');
});

test('a short section counts as read once its end was on the screen', async () => {
  const revised = await openRevised(390);
  const { page } = revised;
  await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).waitFor();
  await page
    .getByRole('region', { name: /^Rollout/ })
    .locator('.section-end')
    .scrollIntoViewIfNeeded();
  await expect.poll(async () => (await unread(revised)).includes('rollout')).toBe(false);
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('the requirements are marked as read, and the dialog of the approval shows the mark at once', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const { page, errors } = await openPage({ viewport: { width: 1_440, height: 300 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Contract');
  await page.getByRole('button', { name: 'Mark “Requirements” read' }).click();
  await page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve r_2' });
  await dialog.getByText(/^1 of \d+ sections read; not read: Summary/).waitFor();
  const links = dialog.locator('a[href*="#section-"]');
  expect(await links.allTextContents()).toContain('Tests');
  expect(await links.allTextContents()).not.toContain('Requirements');
  expect(errors).toEqual([]);
});
