import { loadMission, type Mission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { goToTab, openEverything, openSession, signIn, TABS } from './support/console.ts';
import { calls, loadModerated, playAt, upTo } from './support/mission-cuts.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

/** Plays sessions up to different states, because their pages show different controls. */
async function playAll(site: Site): Promise<ReadonlyMap<string, string>> {
  const moderated = await loadModerated();
  const plain = await loadMission('payment-capture');
  const cuts: readonly [name: string, mission: Mission][] = [
    ['a question waits', upTo(plain, calls('answerQuestion'))],
    ['a contract waits', upTo(plain, calls('approveContract'))],
    ['the deployment waits', upTo(moderated, calls('authorize', { stage: 'deployment' }))],
    ['over', plain],
  ];
  const ids = new Map<string, string>();
  for (const [name, mission] of cuts) ids.set(name, (await playAt(site, mission)).sessionId);
  const { session_id } = await site.owner.createSession(plain.session);
  return ids.set('not started', session_id);
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('axe finds nothing serious on any page', async () => {
    const site = await openSite(openMemory());
    const { page } = await openPage({ colorScheme });
    const found: string[] = [];
    const look = async (where: string): Promise<void> => {
      for (const issue of await seriousIssues(page)) found.push(`${where}: ${issue}`);
    };
    await page.goto(`${site.url}/owner/`);
    await page.getByLabel('Owner key').waitFor();
    await look('sign-in');
    await signIn(page, site.url);
    await look('no sessions');
    const sessions = await playAll(site);
    await page.goto(`${site.url}/owner/new`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('new session');
    for (const [name, sessionId] of sessions) await lookAtTabs(page, { site, name, sessionId, look });
    await lookAtDialogs(page, { site, name: '', sessionId: sessions.get('a contract waits') ?? '', look });
    await page.goto(`${site.url}/owner/`);
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await look('sessions');
    expect(found).toEqual([]);
  });
});

interface Tour {
  readonly site: Site;
  readonly name: string;
  readonly sessionId: string;
  readonly look: (where: string) => Promise<void>;
}

async function lookAtTabs(page: Page, { site, name, sessionId, look }: Tour): Promise<void> {
  await openSession(page, site.url, sessionId);
  for (const tab of TABS) {
    await goToTab(page, tab);
    await openEverything(page);
    await look(`${name}: ${tab}`);
  }
}

const DIALOGS = [
  ['Transcript', 'Ask or direct…'],
  ['Transcript', 'End…'],
  ['Contract', 'Approve this revision'],
  ['Contract', 'Request changes'],
  ['People', /^Invite Agent A/],
  ['Log', 'Erase this session…'],
] as const;

async function lookAtDialogs(page: Page, { site, sessionId, look }: Tour): Promise<void> {
  await openSession(page, site.url, sessionId);
  for (const [tab, name] of DIALOGS) {
    await goToTab(page, tab);
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await look(`the dialog of ${name}`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
}
