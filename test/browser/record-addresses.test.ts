import { loadMission } from '@parley/missions';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { loadLargeMission } from '../../scripts/screenshots/large-mission.ts';
import { joinSession } from '../support/join-session.ts';
import { seriousIssues } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { goToTab, signIn } from './support/console.ts';
import { calls, loadModerated, playAt, upTo } from './support/mission-cuts.ts';
import { openSite, type Site } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const panel = (page: Page) => page.locator('.side-panel');
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.textContent.trim()');

async function openAt(site: Site, path: string, width = 1_440): Promise<Page> {
  const { page } = await openPage({ viewport: { width, height: 900 } });
  await signIn(page, site.url);
  await page.goto(`${site.url}/owner/sessions/${path}`);
  return page;
}

const currentTab = (page: Page) =>
  page.getByRole('navigation', { name: 'Parts of the session' }).locator('[aria-current="page"]').textContent();

test('the address of a record opens its tab with the record in the panel, and closing it leaves the tab', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadModerated());
  const { page } = await openPage({ viewport: { width: 1_440, height: 900 } });
  await signIn(page, site.url);
  for (const [id, title, tab, address] of [
    ['d_1', 'decision d_1', 'Transcript', ''],
    ['q_1', 'question q_1', 'Transcript', ''],
    ['i_1', 'intervention i_1', 'Transcript', ''],
    ['f_1', 'finding f_1', 'Contract', '/contract'],
    ['def_1', 'defect def_1', 'Verify', '/verify'],
    ['h_1', 'hold h_1', 'People', '/people'],
    ['rec_1', 'recommendation rec_1', 'People', '/people'],
  ] as const) {
    await page.goto(`${site.url}/owner/sessions/${sessionId}/${id}`);
    await panel(page).getByRole('heading', { name: title, level: 2 }).waitFor();
    await panel(page).getByRole('listitem').first().waitFor();
    expect(await currentTab(page)).toBe(tab);
    expect(await focused(page)).toBe(title);
    const signOut = await page.getByRole('button', { name: 'Sign out' }).boundingBox();
    const { x = 0 } = (await panel(page).boundingBox()) ?? {};
    expect((signOut?.x ?? x) + (signOut?.width ?? 0)).toBeLessThanOrEqual(x);
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/owner/sessions/${sessionId}${address}`);
  }
  for (const id of ['d_99', 'q_99', 'f_99', 'def_99']) {
    await page.goto(`${site.url}/owner/sessions/${sessionId}/${id}`);
    await page
      .getByRole('alert')
      .getByText(`There is no ${id} in this session. Check the id in the address.`)
      .waitFor();
  }
  await page.goto(`${site.url}/owner/sessions/${sessionId}/r_99`);
  await page.getByRole('alert').getByText('There is no revision r_99').waitFor();
  await page.goto(`${site.url}/owner/sessions/${sessionId}/xyz_1`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

test('a follow-up has an address, and the tab of the log lists it', async () => {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  const fault = { kind: 'fault', text: 'The clock drifts.', side: 'agent_b' } as const;
  await site.parley.agent(tokens.agent_a).call('post_turn', { summary: 'Seen beside the work.', followups: [fault] });
  const page = await openAt(site, `${sessionId}/fu_1`);
  await panel(page).getByText('The clock drifts.').waitFor();
  expect(await currentTab(page)).toBe('Log');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await page.getByText('Noted for later', { exact: true }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'The clock drifts.' })
    .getByRole('link', { name: 'fu_1' })
    .waitFor();
});

test('a record that is opened by its link has its address, and Back closes it', async () => {
  const site = await openSite(openMemory());
  const { sessionId, tokens } = await joinSession(site, { withModerator: false });
  const agent = site.parley.agent(tokens.agent_a);
  await agent.call('submit_decision', { topic: 'Cursor', position: 'The cursor is a text.' });
  await agent.call('submit_decision', { topic: 'Length', position: 'As in d_1, it is not longer than 80 characters.' });
  const page = await openAt(site, sessionId);
  const shows = (id: string) => panel(page).getByRole('heading', { name: id, level: 2 }).waitFor();
  const address = (): string => page.url().slice(page.url().indexOf(sessionId) + sessionId.length);
  await page.getByRole('region', { name: 'Transcript' }).getByRole('link', { name: 'd_2' }).first().click();
  await shows('d_2');
  expect(address()).toBe('/d_2');
  await panel(page).getByRole('link', { name: 'd_1' }).click();
  await shows('d_1');
  expect(address()).toBe('/d_1');
  await page.goBack();
  await shows('d_2');
  await expect.poll(() => panel(page).getByRole('button', { name: /^←/ }).count()).toBe(0);
  await page.getByRole('navigation', { name: 'Parts of the session' }).getByRole('link', { name: 'People' }).click();
  await page.reload();
  await shows('d_2');
  expect(address()).toBe('/people?open=d_2');
  expect(await currentTab(page)).toBe('People');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  expect(address()).toBe('/people');
  await page.goBack();
  await shows('d_2');
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await panel(page).waitFor({ state: 'detached' });
  expect(address()).toBe('');
});

test('an address of a message shows it in the transcript, and an address of nothing a page with a way back', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadModerated());
  const page = await openAt(site, `${sessionId}/12`);
  await waitShown(page, 'm-12');
  expect(page.url().endsWith(`/${sessionId}#m-12`)).toBe(true);
  for (const path of ['nonsense', `sessions/${sessionId}/nonsense/at/all`]) {
    const answer = await page.goto(`${site.url}/owner/${path}`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('link', { name: 'Back to your inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  }
  expect(site.failures).toEqual([]);
});

test('the address of a question to the owner takes the answer', async () => {
  const site = await openSite(openMemory());
  const { sessionId, moderator } = await playAt(site, upTo(await loadModerated(), calls('answerQuestion')));
  await moderator?.('recommend_to_owner', { recommendation: 'PROCEED', text: 'Say yes to q_4: the sweeper needs it.' });
  const [question] = (await site.owner.view(sessionId)).questions.filter(({ to }) => to === 'owner');
  const id = question?.question_id ?? '';
  const page = await openAt(site, `${sessionId}/${id}`);
  await panel(page).getByText('No revision of the contract can be certified before you answer.').waitFor();
  await panel(page)
    .getByRole('heading', { name: /^Turn \d+ of .*\(agent_[ab]\)$/ })
    .waitFor();
  await panel(page).getByRole('heading', { name: 'The moderator recommends rec_1' }).waitFor();
  await panel(page).getByText('the sweeper needs it.').waitFor();
  await panel(page).getByText('What is left is the order whose tries all time out.').waitFor();
  // The turn that asks also proposes a decision. The question has one field for the answer.
  await panel(page).locator('dt', { hasText: 'proposes' }).first().waitFor();
  expect(await page.getByLabel(`Your answer to ${id}`).count()).toBe(1);
  await panel(page).getByLabel(`Your answer to ${id}`).fill('For fifteen minutes.');
  await panel(page).getByRole('button', { name: 'Answer' }).click();
  await panel(page).getByText('For fifteen minutes.').waitFor();
  expect((await site.owner.view(sessionId)).questions.find(({ question_id }) => question_id === id)?.answer).toBe(
    'For fifteen minutes.',
  );
});

test('a finding at a JSON Pointer names the part of the contract and its member', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('offline-sync'), calls('respond_finding')));
  const page = await openAt(site, `${sessionId}/f_1`);
  await panel(page).getByText('at if-push-edits, description, on r_1').waitFor();
  await page.locator('#section-findings').getByText('at if-push-edits, description, on r_1').waitFor();
  await page.getByLabel('Revision').selectOption('r_1');
  await page.locator('#section-findings').getByText('at interfaces › if-push-edits › description on r_1').waitFor();
});

test('an address of two revisions shows how they differ', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, upTo(await loadMission('payment-capture'), calls('approveContract')));
  const page = await openAt(site, `${sessionId}/r_2?against=r_1`);
  await page.getByRole('heading', { name: 'r_2', exact: true }).waitFor();
  await expect.poll(() => page.getByLabel('Compared with').inputValue()).toBe('r_1');
  await page.getByRole('button', { name: 'Changes since r_1', pressed: true }).waitFor();
  await page.locator('.changes ins').first().waitFor();
});

/** Waits until a message is marked, focused, and visible. A failure says which of these it is not. */
/** Waits until a message is marked, focused, and visible. A failure says which of these it is not. */
const waitShown = (page: Page, id: string) =>
  expect
    .poll(() =>
      page.evaluate(`(() => {
        const message = document.querySelector('.message.marked');
        if (!message) return 'no marked message; the focus is on ' + document.activeElement.outerHTML.slice(0, 200);
        if (document.activeElement !== message) return message.id + ' without the focus';
        const { top, bottom } = message.getBoundingClientRect();
        const list = message.closest('.scroller').getBoundingClientRect();
        const isInList = top < list.bottom && bottom > list.top;
        return isInList && top >= 0 && top < innerHeight
          ? message.id
          : message.id + ' out of view: ' + JSON.stringify({ top, bottom, list, innerHeight });
      })()`),
    )
    .toBe(id);

/** Holds back the events after `last` until `releaseEvents` is called in the page. */
const holdEventsAfter = (page: Page, last: number) =>
  page.addInitScript(`
    const released = new Promise((resolve) => { globalThis.releaseEvents = resolve; });
    const { fetch } = globalThis;
    globalThis.fetch = async (...call) => {
      const answer = await fetch(...call);
      if (!String(call[0]?.url ?? call[0]).includes('/events?')) return answer;
      let text = '';
      const held = new TransformStream({
        async transform(piece, out) {
          text += piece;
          for (let end = text.indexOf('\\n\\n'); end >= 0; end = text.indexOf('\\n\\n')) {
            const event = text.slice(0, end + 2);
            text = text.slice(end + 2);
            if (Number(/^id: ?(\\d+)$/m.exec(event)?.[1]) > ${last}) await released;
            out.enqueue(event);
          }
        },
      });
      const body = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(held).pipeThrough(new TextEncoderStream());
      return new Response(body, answer);
    };
  `);

test('a page that receives its events in pieces stays at the message of its address', async () => {
  const site = await openSite(openMemory());
  const { sessionId } = await playAt(site, await loadLargeMission());
  const { page } = await openPage({ viewport: { width: 390, height: 900 } });
  await signIn(page, site.url);
  await holdEventsAfter(page, 55);
  await page.goto(`${site.url}/owner/sessions/${sessionId}#m-55`);
  await page.locator('#m-55').waitFor();
  await page.evaluate(`(async () => {
    for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
    releaseEvents();
  })()`);
  await page.getByText('To the end ↓').waitFor();
  await waitShown(page, 'm-55');
});

describe.each([1_440, 390])('%i px wide', (width) => {
  test('a link to a message shows it in the transcript with the focus, and so does its address', async () => {
    const site = await openSite(openMemory());
    const { sessionId } = await playAt(site, await loadLargeMission());
    for (const text of ['First.', 'Second.', 'Third.'])
      await site.owner.direct(sessionId, { targets: ['agent_a'], text });
    const page = await openAt(site, `${sessionId}/r_2?against=r_1`, width);
    await page.locator('.changes').getByRole('link', { name: '#55 to r_1' }).click();
    await waitShown(page, 'm-55');
    await page.goto(`${site.url}/owner/sessions/${sessionId}/d_3`);
    await panel(page).getByRole('link', { name: 'Go to message #17, which created this record' }).click();
    await waitShown(page, 'm-17');
    for (const id of ['m-10', 'm-40', 'm-55']) {
      await page.goto('about:blank');
      await page.goto(`${site.url}/owner/sessions/${sessionId}#${id}`);
      await waitShown(page, id);
    }
    expect(site.failures).toEqual([]);
  });

  test('a superseded position shows what replaced it and the words that differ', async () => {
    const site = await openSite(openMemory());
    const { sessionId, tokens } = await joinSession(site, { withModerator: false });
    const agent = site.parley.agent(tokens.agent_a);
    await agent.call('submit_decision', { topic: 'Cursor', position: 'The cursor is an **opaque** text.' });
    await agent.call('submit_decision', {
      topic: 'Cursor',
      position: 'The cursor is an **opaque** number, as d_1 said.',
    });
    const page = await openAt(site, `${sessionId}/d_1`, width);
    const replaced = panel(page).getByRole('region', { name: 'Replaced by d_2' });
    await replaced.locator('ins').first().waitFor();
    await expect.poll(() => panel(page).locator('strong').textContent()).toBe('opaque');
    await expect.poll(() => replaced.locator('del').first().textContent()).toBe('removed: text (end of removed)');
    await replaced.getByRole('link', { name: 'd_2' }).click();
    await panel(page).getByRole('heading', { name: 'd_2', level: 2 }).waitFor();
    expect(await focused(page)).toBe('decision d_2');
    expect(await seriousIssues(page)).toEqual([]);
    await panel(page).getByRole('button', { name: '← d_1' }).click();
    await panel(page).getByRole('heading', { name: 'd_1', level: 2 }).waitFor();
    await panel(page)
      .getByRole('link', { name: /^Go to message #\d+/ })
      .click();
    await page.locator('.message.marked').getByText('opaque').waitFor();
    await expect.poll(() => panel(page).count()).toBe(width > 400 ? 1 : 0);
    expect(site.failures).toEqual([]);
  });
});

test('ids of the parts of a contract are links in the texts of its own session only', async () => {
  const site = await openSite(openMemory());
  const mission = upTo(await loadMission('signed-webhooks'), calls('approveContract'));
  const { sessionId } = await playAt(site, mission);
  const next = await playAt(site, { ...mission, session: { ...mission.session, title: 'Next' } });
  for (const id of [sessionId, next.sessionId])
    await site.owner.direct(id, { targets: ['agent_a'], text: 'Look at v-vectors.' });
  const page = await openAt(site, `${sessionId}/contract`);
  const directive = page.locator('.conversation').getByText('Look at v-vectors.');
  await page.locator('.contract-text').waitFor();
  await goToTab(page, 'Transcript');
  await directive.getByRole('link', { name: 'v-vectors' }).waitFor();
  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  await page.getByRole('link', { name: 'Next', exact: true }).click();
  await page.waitForURL(`**/owner/sessions/${next.sessionId}`);
  await directive.waitFor();
  expect(await directive.getByRole('link').count()).toBe(0);
});
