import { seenIn } from '@parley/core/testing';
import type { Json } from '@parley/missions';
import { contractOf, demand, hashOf, seatWithContract } from './contracts.ts';
import type { HostProcess } from './host-process.ts';
import type { Scene, Seat, Seats } from './scene.ts';

/** Creates a session with an authorized build and both handshakes. agent_a executes the test `test-level`. */
export async function seatWithBuild(scene: Scene, host: HostProcess): Promise<Seats> {
  const contract = contractOf('r_1');
  const seats = await seatWithContract(scene, host, contract);
  const exactly = { revision_id: 'r_1', content_hash: hashOf(contract) };
  const both = [seats.agent_a, seats.agent_b];
  for (const seat of both)
    await demand({ host, seat, route: 'POST final-review', body: { ...exactly, verdict: 'APPROVE' } });
  const { sessionId } = seats.agent_a;
  await scene.owner.approveContract(sessionId, { ...exactly, seen: await seenIn(scene.owner, sessionId) });
  for (const seat of both) await reportReady(host, seat);
  for (const seat of both) await confirmAnswers(host, seat);
  await scene.owner.authorize(sessionId, { stage: 'build', seen: await seenIn(scene.owner, sessionId) });
  for (const seat of both) await demand({ host, seat, route: 'POST verify/handshake', body: HANDSHAKE });
  return seats;
}

export const HANDSHAKE = {
  ...{ service: 'shop', version: '1.0.0', commit: 'a'.repeat(40), environment: 'test' },
  ...{ ready: true, dependencies_healthy: true },
};

async function reportReady(host: HostProcess, seat: Seat): Promise<void> {
  const { artifacts, manifest } = await demand({ host, seat, route: 'GET artifacts' });
  const own = artifacts as readonly { filename: string; sha256: string }[];
  for (const { filename, sha256 } of own)
    await demand({ host, seat, route: 'POST artifacts/receipt', body: { filename, sha256 } });
  const { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version } = manifest as Json;
  const { questions } = await demand({ host, seat, route: 'GET readiness' });
  const asked = questions as readonly { question_id: string }[];
  const answers = asked.map(({ question_id }) => ({ question_id, answer: 'As the contract says.' }));
  const named = { revision_id, content_hash, handshake_sha256, shared_contract_sha256, fixture_version };
  await demand({ host, seat, route: 'POST readiness', body: { ...named, verdict: 'READY_TO_CODE', answers } });
}

async function confirmAnswers(host: HostProcess, seat: Seat): Promise<void> {
  const { to_confirm } = await demand({ host, seat, route: 'GET readiness' });
  const { action_id } = to_confirm as Json;
  await demand({ host, seat, route: 'POST actions/complete', body: { action_id } });
}
