import { randomUUID } from 'node:crypto';
import { createParley, type Owner, type ParleyError } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import { type JoinedAgents, loadMission, type Mission, runMission } from '@parley/missions';
import { expect, onTestFinished, test } from 'vitest';
import { SHARED_STORE } from './support/stores.ts';

const COMMIT = 'd4077a1bb9e2c6350f8841adcc19e5b27f3a6d60';

/** The mission up to the authorization of the deployment. */
function beforeDeployment(mission: Mission): Mission {
  const end = mission.verification.findIndex(({ call, input }) => call === 'authorize' && input.stage === 'deployment');
  return { ...mission, verification: mission.verification.slice(0, end) };
}

async function declareCommit({ verification }: Mission, { agents }: JoinedAgents): Promise<void> {
  const declared = verification.find(({ call, by }) => call === 'verify_handshake' && by === 'agent_a');
  await agents.agent_a('verify_handshake', { ...declared?.input, version: '2.0.0', commit: COMMIT });
}

const authorizing = async (owner: Owner, sessionId: string) =>
  await owner
    .authorize(sessionId, { stage: 'deployment', group_ready: true, seen: await seenIn(owner, sessionId) })
    .then(
      ({ phase }) => ({ phase }),
      ({ code, details }: ParleyError) => ({ code, sessions: details.sessions }),
    );

test('a deployment that waits for its group sees what another process has stored about the other sessions', async () => {
  const store = await SHARED_STORE.open();
  onTestFinished(() => store.remove());
  const storage = await store.connect();
  onTestFinished(() => storage.close());
  const [one, other] = [await createParley({ storage }), await createParley({ storage })];
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => undefined));
  const [ownerId, group] = [randomUUID(), 'Checkout'];
  const [here, there] = [one.owner(ownerId), other.owner(ownerId)];
  const mission = await loadMission('payment-capture');
  const play = async (title: string) =>
    await runMission(
      { ...beforeDeployment(mission), session: { ...mission.session, title, ...{ group } } },
      { owner: there, agents: async ({ code }) => other.agent((await other.redeem({ code })).token).call },
    );
  const [shop, bank] = [await play('Shop'), await play('Bank')];
  const { session_id: mail } = await there.createSession({ ...mission.session, title: 'Mail', group });
  const named = (title: string, session_id: string, ...stops: string[]) => ({ session_id, title, stops });

  expect((await here.group({ name: group })).sessions).toMatchObject([
    { session: { title: 'Shop' }, contract: { status: 'APPROVED' }, certified: true, stops: [] },
    { session: { title: 'Bank' }, contract: { status: 'APPROVED' }, certified: true, stops: [] },
    { session: { title: 'Mail' }, contract: null, certified: false, stops: ['The contract is not approved.'] },
  ]);
  const before = await here.verifyLog(shop.sessionId);
  expect(await authorizing(here, shop.sessionId)).toEqual({
    code: 'CERTIFICATION_INCOMPLETE',
    sessions: [named('Mail', mail, 'The contract is not approved.')],
  });
  await there.end(mail, { end_reason: 'CANCELLED' });
  expect(await authorizing(here, shop.sessionId)).toEqual({
    code: 'CERTIFICATION_INCOMPLETE',
    sessions: [named('Mail', mail, 'The session ended, and its deployment was not authorized.')],
  });
  expect(await here.verifyLog(shop.sessionId)).toEqual(before);
  await there.deleteSession(mail);
  expect(await authorizing(here, shop.sessionId)).toEqual({ phase: 'RELEASE' });

  await declareCommit(mission, shop);
  expect(await authorizing(here, bank.sessionId)).toMatchObject({
    code: 'CERTIFICATION_INCOMPLETE',
    sessions: [{ title: 'Shop', stops: expect.arrayContaining([expect.stringContaining(' STALE')]) }],
  });
  await there.authorize(bank.sessionId, { stage: 'deployment', seen: await seenIn(there, bank.sessionId) });
  await there.end(bank.sessionId, { end_reason: 'COMPLETED' });
  expect((await here.group({ name: group })).sessions).toMatchObject([
    { certified: false, deployment_authorized: false },
    { session: { status: 'ENDED' }, deployment_authorized: true, stops: [] },
  ]);
});
