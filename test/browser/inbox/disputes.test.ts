import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { calls, playAt, upTo } from '../support/mission-cuts.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('a disputed defect waits in the inbox with the words of both agents, and is assigned or waived there', async () => {
  const site = await openSite(openMemory());
  const { sessionId, agents } = await playAt(site, upTo(await loadMission('payment-capture'), calls('reassignDefect')));
  const { defects } = await site.owner.board(sessionId);
  const assignee = defects.find(({ defect_id }) => defect_id === 'def_1')?.assigned_to ?? 'agent_a';
  const other = assignee === 'agent_a' ? 'agent_b' : 'agent_a';
  await agents[assignee]('submit_finding', {
    text: 'The other side sends it twice.',
    target: 'def_1',
    blocking: false,
  });
  const { findings } = await site.owner.view(sessionId);
  const id = findings.at(-1)?.finding_id ?? '';
  await agents[other]('respond_finding', {
    finding_id: id,
    decision: 'REJECT',
    response: 'By our log it is sent once.',
  });

  await site.owner.ask(sessionId, { targets: [assignee], text: 'def_1: whose code sends it, and how do you know?' });
  const { interventions } = await site.owner.view(sessionId);
  const asked = interventions.at(-1)?.intervention_id ?? '';
  await agents[assignee]('answer_intervention', {
    intervention_id: asked,
    text: 'The second call has the tag of their sweeper.',
  });

  const { page, errors } = await openPage();
  await signIn(page, site.url);
  const task = page.getByRole('listitem').filter({ hasText: 'Decide on def_1' });
  await task.getByText('The other side sends it twice.').waitFor();
  await task.getByText(`${other} rejects: By our log it is sent once.`).waitFor();
  expect(await task.locator('.buttons > *').allTextContents()).toEqual(['Assign it anew…', 'Waive it…', 'Read it']);
  await task.getByRole('button', { name: 'Waive it…' }).click();
  await page.getByRole('dialog', { name: 'Waive def_1' }).getByRole('button', { name: 'Not now' }).click();

  await openSession(page, site.url, sessionId, 'Verify');
  const defect = page.getByRole('region', { name: 'Defects' }).getByRole('listitem').filter({ hasText: 'def_1' });
  await defect.getByText('disputed', { exact: true }).waitFor();
  await defect.getByRole('link', { name: id }).first().waitFor();
  // What was seen and said about the open defect stands on its card.
  await defect.getByRole('heading', { name: 'What attempt 1 showed' }).waitFor();
  await defect.getByText('By our log it is sent once.').waitFor();
  await defect.getByText('def_1: whose code sends it, and how do you know?').waitFor();
  await defect.getByText('The second call has the tag of their sweeper.').waitFor();
  const scenario = defects.find(({ defect_id }) => defect_id === 'def_1')?.scenario_id ?? '';
  await defect.getByRole('link', { name: scenario, exact: true }).first().click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`scenario-${scenario}`);
  await page
    .getByRole('region', { name: 'Scenarios' })
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .waitFor();

  const waits = page.getByRole('region', { name: 'Waits for you' });
  await waits.getByRole('button', { name: 'Assign it anew…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign def_1 to' });
  await dialog.getByLabel('Reason (optional)').fill('By the log of the connector.');
  await dialog.getByText('What was seen and said about def_1').click();
  await dialog.getByText('The second call has the tag of their sweeper.').waitFor();
  await dialog.getByRole('button', { name: 'Assign the defect' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await waits.getByText('Decide on def_1').waitFor({ state: 'hidden' });
  const { defects: after } = await site.owner.board(sessionId);
  expect(after.find(({ defect_id }) => defect_id === 'def_1')?.assigned_to).toBe(other);
  await defect.getByRole('heading', { name: 'Reassigned by the owner' }).waitFor();
  await defect.getByText('By the log of the connector.', { exact: true }).waitFor();
  await defect.getByRole('link', { name: 'def_1' }).first().click();
  const panel = page.locator('.side-panel');
  await panel.getByText('By the log of the connector.', { exact: true }).waitFor();

  // A link in a dialog closes the dialog, which would otherwise cover the message.
  await defect.getByRole('button', { name: 'Waive def_1…' }).click();
  const waiver = page.getByRole('dialog', { name: 'Waive def_1' });
  await waiver.getByText('What was seen and said about def_1').click();
  await waiver
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .click();
  await waiver.waitFor({ state: 'hidden' });
  expect(errors).toEqual([]);
});
