import { ParleyError } from '@parley/core';
import { seenIn } from '@parley/core/testing';
import type { Json } from '@parley/missions';
import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Reply } from './support/ask.ts';
import { canonicalText, contractOf, demand, hashOf, seatWithContract } from './support/contracts.ts';
import { type Draws, drawsFrom } from './support/draws.ts';
import type { HostProcess } from './support/host-process.ts';
import { inLanes, rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';

const LANES = rounds(2, 5);
const RACES = rounds(8, 100);
const APPROVALS = rounds(6, 60);

const WAYS = ['POST contract', 'POST plan', 'POST plan-revision', 'POST contract/patch'] as const;
type Way = (typeof WAYS)[number];

function revision(way: Way, title: string, expected_parent_id: string): { route: string; body: Json } {
  const named = { expected_parent_id, reason: `Title ${title}.` };
  const ops = [{ op: 'replace', path: '/title', value: title }];
  return {
    route: way,
    body: way === 'POST contract/patch' ? { ...named, ops } : { ...named, contract: contractOf(title) },
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(databaseServer === null)('revisions over several processes', () => {
  let scene: Scene;
  let hosts: [HostProcess, HostProcess, HostProcess];
  beforeAll(async () => {
    scene = await openScene();
    hosts = await Promise.all([scene.start(), scene.start(), scene.start()]);
    return scene.close;
  });

  test(`two at once on one parent, ${LANES * RACES} times, leave one and name it to the other`, async () => {
    const tally = new Map<string, number>();
    await inLanes(LANES, async (lane) => {
      const draws = drawsFrom(lane);
      const seats = await seatWithContract(scene, hosts[0], contractOf('r_1'));
      for (let race = 1; race <= RACES; race += 1) await raceOnce(race, { seats, draws, tally });
      const kinds = await storedKinds(seats);
      expect(kinds.filter((kind) => kind === 'revision.created')).toHaveLength(RACES + 1);
    });
    console.log(`revisions: ${Array.from(tally, ([what, times]) => `${what} ${times}`).join(', ')}`);
  });

  interface Racing {
    readonly seats: Seats;
    readonly draws: Draws;
    readonly tally: Map<string, number>;
  }

  async function raceOnce(race: number, { seats, draws, tally }: Racing): Promise<void> {
    const parent = `r_${race}`;
    const sent = [hosts[0], hosts[1]].map(async (host, index) => {
      const way = draws.oneOf(WAYS);
      const title = `${parent} by ${index}`;
      const delay = draws.whole(0, 3);
      await pause(delay);
      const reply = await ask({ host, seat: seats.agent_a, ...revision(way, title, parent) });
      return { way, title, reply };
    });
    const replies = await Promise.all(sent);
    const [won, lost] = replies.toSorted((one, other) => one.reply.status - other.reply.status);
    if (!won || !lost) throw new Error('Nobody raced.');
    const next = `r_${race + 1}`;
    const content_hash = hashOf(contractOf(won.title));
    expect(won.reply).toMatchObject({ status: 200, body: { revision_id: next, parent_id: parent, content_hash } });
    expect(lost.reply).toMatchObject({ status: 409, body: { error: 'STALE_PARENT', latest_revision_id: next } });
    const plan = await demand({ host: hosts[2], seat: seats.agent_b, route: 'GET plan' });
    expect(plan).toMatchObject({ revision_id: next, parent_id: parent, content_hash, contract: contractOf(won.title) });
    const what = `${won.way} before ${lost.way}`.replaceAll('POST ', '');
    tally.set(what, (tally.get(what) ?? 0) + 1);
  }

  async function storedKinds({ agent_a: { sessionId } }: Seats): Promise<unknown[]> {
    const kinds: unknown[] = [];
    for (let from = 1; ; from += 500) {
      const events = await scene.storage.events(sessionId, from, from + 499);
      kinds.push(...events.map(({ body }) => JSON.parse(body).kind));
      if (events.length < 500) return kinds;
    }
  }

  test(`the owner approves one while its author writes the next, ${LANES * APPROVALS} times: only one of them happens`, async () => {
    const tally = { approved: 0, refused: 0 };
    await inLanes(LANES, async (lane) => {
      const draws = drawsFrom(lane + 100);
      const seats = await seatWithContract(scene, hosts[0], contractOf('r_1'));
      let latest = { id: 'r_1', contract: contractOf('r_1') };
      for (let round = 0; round < APPROVALS; round += 1) {
        await reviewBoth(seats, latest.id, hashOf(latest.contract));
        latest = await approveOnce({ seats, latest, draws, tally });
      }
    });
    console.log(`approvals: ${tally.approved} came first, ${tally.refused} came after the next revision`);
  });

  async function reviewBoth({ agent_a, agent_b }: Seats, revision_id: string, content_hash: string): Promise<void> {
    const body = { revision_id, content_hash, verdict: 'APPROVE' };
    for (const seat of [agent_a, agent_b]) await demand({ host: hosts[2], seat, route: 'POST final-review', body });
  }

  interface Approving {
    readonly seats: Seats;
    readonly latest: { readonly id: string; readonly contract: Json };
    readonly draws: Draws;
    readonly tally: { approved: number; refused: number };
  }

  /**
   * The owner approves while the author submits the next revision. Returns the revision that is the latest after that.
   */
  async function approveOnce({ seats, latest, draws, tally }: Approving): Promise<Approving['latest']> {
    const { agent_a } = seats;
    const next = `r_${Number(latest.id.slice(2)) + 1}`;
    const exactly = { revision_id: latest.id, content_hash: hashOf(latest.contract) };
    const seen = await seenIn(scene.owner, agent_a.sessionId);
    const [ownerWaits, authorWaits] = [draws.whole(0, 6), draws.whole(0, 6)];
    const [approval, submission] = await Promise.all([
      pause(ownerWaits).then(() => scene.owner.approveContract(agent_a.sessionId, { ...exactly, seen }).catch(errorOf)),
      pause(authorWaits).then(() =>
        ask({ host: hosts[0], seat: agent_a, ...revision(draws.oneOf(WAYS), next, latest.id) }),
      ),
    ]);
    const after = { id: next, contract: contractOf(next) };
    if (approval instanceof ParleyError) {
      tally.refused += 1;
      expect(approval.body()).toMatchObject({ error: 'STALE_REVISION', latest_revision_id: next });
      expect(submission).toMatchObject({
        status: 200,
        body: { revision_id: next, content_hash: hashOf(after.contract) },
      });
      await expectManifest(seats, null);
      return after;
    }
    tally.approved += 1;
    expect(approval.manifest).toMatchObject(exactly);
    expectWrongPhase(submission);
    await expectManifest(seats, latest.contract);
    await scene.owner.requestChanges(agent_a.sessionId, {
      reason: 'Once more.',
      seen: await seenIn(scene.owner, agent_a.sessionId),
    });
    await demand({ host: hosts[1], seat: agent_a, ...revision('POST contract', next, latest.id) });
    return after;
  }

  /**
   * Expects that the manifest contains exactly the bytes of `contract`. If `contract` is null, expects that there is no
   * manifest.
   */
  async function expectManifest({ agent_b: seat }: Seats, contract: Json | null): Promise<void> {
    const { manifest } = await demand({ host: hosts[2], seat, route: 'GET artifacts' });
    if (contract === null) return expect(manifest).toBeNull();
    const route = 'GET artifacts/fetch?filename=shared-contract.json';
    const { content, sha256 } = await demand({ host: hosts[2], seat, route });
    expect({ content, sha256 }).toEqual({ content: canonicalText(contract), sha256: hashOf(contract) });
    expect(manifest).toMatchObject({ content_hash: sha256, shared_contract_sha256: sha256 });
  }
});

function expectWrongPhase(reply: Reply): void {
  const body = { error: 'WRONG_PHASE', phase: 'READINESS' };
  expect(reply).toMatchObject({ status: 409, body });
}

function errorOf(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  throw error;
}
