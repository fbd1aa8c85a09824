import { loadMission, type Mission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { goToTab, openEverything, openSession, signIn, TABS } from './support/console.ts';
import { calls, loadModerated, playAt, upTo } from './support/mission-cuts.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

/** States of a session that show different controls. `play` brings a session to the state and returns its id. */
const CUTS: readonly (readonly [name: string, play: (site: Site) => Promise<string>])[] = [
  ['a question waits', (site) => played(site, 'answerQuestion')],
  ['a contract waits', (site) => played(site, 'approveContract')],
  [
    'the deployment waits',
    async (site) => playCut(site, upTo(await loadModerated(), calls('authorize', { stage: 'deployment' }))),
  ],
  [
    'a test failed',
    async (site) => playCut(site, upTo(await loadMission('signed-webhooks'), calls('verify_submit_fix'))),
  ],
  ['over', async (site) => playCut(site, await loadMission('payment-capture'))],
  [
    'not started',
    async ({ owner }) => (await owner.createSession((await loadMission('payment-capture')).session)).session_id,
  ],
];

const playCut = async (site: Site, mission: Mission): Promise<string> => (await playAt(site, mission)).sessionId;
const played = async (site: Site, call: string): Promise<string> =>
  playCut(site, upTo(await loadMission('payment-capture'), calls(call)));

const WIDE = { width: 1_440, height: 900 };
const NARROW = { width: 390, height: 844 };

interface Looking {
  readonly site: Site;
  readonly page: Page;
  readonly found: string[];
  readonly look: (where: string) => Promise<void>;
}

async function openLooking(colorScheme: 'light' | 'dark'): Promise<Looking> {
  const site = await openSite(openMemory());
  const { page } = await openPage({ colorScheme, viewport: WIDE });
  const found: string[] = [];
  const look = async (where: string): Promise<void> => {
    for (const viewport of [NARROW, WIDE]) {
      await page.setViewportSize(viewport);
      const place = `${where}, ${viewport.width} px`;
      for (const issue of await seriousIssues(page)) found.push(`${place}: ${issue}`);
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push(`${place}: is too wide`);
    }
  };
  return { site, page, found, look };
}

describe.each(['light', 'dark'] as const)(
  'in the %s theme, wide and narrow, axe finds nothing serious',
  (colorScheme) => {
    test('on the pages of all sessions', async () => {
      const { site, page, found, look } = await openLooking(colorScheme);
      await page.goto(`${site.url}/owner/`);
      await page.getByLabel('Owner key').waitFor();
      await look('sign-in');
      await signIn(page, site.url);
      await look('no sessions');
      await page.goto(`${site.url}/owner/new`);
      await page.getByRole('button', { name: 'db-migration' }).click();
      await page.getByText('has filled the form').waitFor();
      await page.getByRole('button', { name: 'Create the session' }).click();
      await look('new session');
      await played(site, 'answerQuestion');
      const { session } = await loadMission('payment-capture');
      for (const group of ['Check & out', 'check & OUT']) await site.owner.createSession({ ...session, group });
      await page.goto(`${site.url}/owner/`);
      await page.getByRole('button', { name: 'Answer…' }).click();
      await openEverything(page);
      await look('inbox');
      await page.getByRole('link', { name: 'Sessions', exact: true }).click();
      await page.getByRole('table').waitFor();
      await look('sessions');
      await page.getByRole('link', { name: 'Check & out' }).first().click();
      await page.getByText('2 sessions, 0 are certified or deployed.').waitFor();
      await look('group');
      await page.getByRole('link', { name: 'New session in this group' }).click();
      await page.getByRole('button', { name: 'Show its sessions' }).click();
      await page.getByRole('button', { name: 'Copy the requirements of' }).last().click();
      await page
        .getByLabel('What must hold')
        .nth(session.requirements.length - 1)
        .waitFor();
      await look('new session of a group');
      await page.getByRole('link', { name: 'Back to your inbox' }).click();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('payment');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      await look('palette');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Stop all…' }).click();
      await look('the dialog of Stop all…');
      await page.goto(`${site.url}/owner/people`);
      await page.getByLabel('Name').fill('Ada');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await look('the key of a person');
      await page.getByRole('button', { name: 'I have passed the key on' }).click();
      await look('people');
      await page.goto(`${site.url}/owner/sessions/nothing/nonsense`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await look('not found');
      expect(found).toEqual([]);
    });

    test.each(CUTS)('on the pages of a session: %s', async (name, play) => {
      const { site, page, found, look } = await openLooking(colorScheme);
      const sessionId = await play(site);
      await signIn(page, site.url);
      await lookAtTabs(page, { site, name, sessionId, look });
      if (name === 'a contract waits') await lookAtDialogs(page, { site, name, sessionId, look });
      expect(found).toEqual([]);
    });
  },
);

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
  ['Contract', 'Approve…'],
  ['Contract', 'Request changes…'],
  ['Transcript', 'Assign…'],
  ['Transcript', 'Pause…'],
  ['People', /^Invite Shop agent/],
  ['Log', 'Erase this session…'],
] as const;

async function lookAtDialogs(page: Page, { site, sessionId, look }: Tour): Promise<void> {
  await openSession(page, site.url, sessionId);
  for (const [tab, name] of DIALOGS) {
    await goToTab(page, tab);
    await page.getByRole('button', { name, exact: true }).click();
    // The agent has joined, so the console asks before it invites the agent again.
    if (tab === 'People') {
      await look(`the question of ${name}`);
      await page.getByRole('button', { name: /^Yes, invite Shop agent/ }).click();
    }
    await page.getByRole('dialog').waitFor();
    await look(`the dialog of ${name}`);
    await page.keyboard.press('Escape');
    // The dialog with an invitation code asks a question and stays open.
    if (tab === 'People') {
      await look(`the question of the dialog of ${name}`);
      await page.getByRole('button', { name: 'Close without the code' }).click();
    }
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
}
