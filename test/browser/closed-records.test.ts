import { expect, test } from 'vitest';
import { agentsIn } from './support/agents.ts';
import { openPage } from './support/browser.ts';
import { openSession, signIn } from './support/console.ts';
import { openSite } from './support/site.ts';
import { openMemory } from './support/storages.ts';

const SESSION = {
  title: 'Cursor pagination',
  objective: 'The catalogue lists ten million products without offsets.',
  requirements: [{ requirement_id: 'req-1', text: 'A page never repeats or skips a product.' }],
};

test('the text of a superseded position and of a withdrawn directive is shown once it is opened', async () => {
  const site = await openSite(openMemory());
  const { session_id: sessionId } = await site.owner.createSession(SESSION);
  const invitation = await site.owner.invite(sessionId, { role: 'agent_a' });
  const agent = await agentsIn(site.parley)({ ...invitation, sessionId });
  await site.owner.start(sessionId);
  await agent('submit_decision', { topic: 'Cursor', position: 'An opaque text.' });
  await agent('submit_decision', { topic: 'Cursor', position: 'The last id.' });
  await site.owner.direct(sessionId, { targets: ['agent_a'], text: 'Keep the address.' });
  await site.owner.withdrawIntervention(sessionId, { intervention_id: 'i_1' });

  const { page } = await openPage({ viewport: { width: 1280, height: 2_000 } });
  await signIn(page, site.url);
  await openSession(page, site.url, sessionId);
  const decisions = page.getByRole('region', { name: /^Decisions/ });
  await decisions.getByText('The last id.').waitFor();
  await decisions.getByText('1 earlier position').click();
  await expect.poll(() => decisions.getByText('An opaque text.').count()).toBe(0);
  await decisions.getByText('Text of d_1').click();
  await decisions.getByText('An opaque text.').waitFor();

  const interventions = page.getByRole('region', { name: 'Interventions' });
  await interventions.getByText('Closed questions and directives: 1').click();
  await interventions.getByText('Text of i_1').click();
  await interventions.getByText('Keep the address.').waitFor();
  expect(site.failures).toEqual([]);
});
