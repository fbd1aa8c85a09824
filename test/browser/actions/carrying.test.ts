import { loadMission } from '@parley/missions';
import { expect, test } from 'vitest';
import { play, upTo, withCarry } from '../../../scripts/screenshots/play.ts';
import { openPage } from '../support/browser.ts';
import { openSession, signIn } from '../support/console.ts';
import { openSite } from '../support/site.ts';
import { openMemory } from '../support/storages.ts';

test('the owner carries a stale pass over in the console, with a reason that the board then shows', async () => {
  const site = await openSite(openMemory());
  const mission = withCarry(await loadMission('payment-capture'));
  const authorized = mission.verification.findIndex(({ by, call }) => by === 'owner' && call === 'authorize');
  const { sessionId, agents } = await play(site.parley, site.owner, upTo(mission, 'verification', authorized));
  const declared = mission.verification.findLast(({ by, call }) => by === 'agent_a' && call === 'verify_handshake');
  const { commit, ...handshake } = Object(declared?.input);
  const next = 'd4077a1bb9e2c6350f8841adcc19e5b27f3a6d60';
  await agents.agent_a('verify_handshake', { ...handshake, commit: next, changes: { [commit]: ['README.md'] } });

  const { page, errors } = await openPage();
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId, 'Verify');
  await page.getByRole('button', { name: 'Carry the pass over…' }).first().click();
  const carrying = page.getByRole('dialog', { name: 'Carry the pass of v-retries-book-once over' });
  await carrying.getByLabel('Reason').fill('Only the README changed.');
  await carrying.getByRole('button', { name: 'Carry the pass over' }).click();
  await carrying.waitFor({ state: 'hidden' });
  await page.getByText('Only the README changed.').first().waitFor();
  const { scenarios } = await site.owner.board(sessionId);
  expect(scenarios.find(({ scenario_id }) => scenario_id === 'v-retries-book-once')).toMatchObject({
    status: 'PASSED',
    carried: { by: 'owner', reason: 'Only the README changed.', changes: [{ declared_by: 'agent_a', paths: 1 }] },
  });
  expect(errors).toEqual([]);
});
