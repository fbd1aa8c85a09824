import type { Json } from '@parley/missions';
import { OWNER_ID } from '@parley/owner-app';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Reply, send } from './support/ask.ts';
import { contractOf, demand, hashOf, seatWithContract } from './support/contracts.ts';
import { type Draws, drawsFrom } from './support/draws.ts';
import { type OwnerServer, startOwnerServer } from './support/owner-server.ts';
import { inLanes, rounds } from './support/rounds.ts';
import { databaseServer, openScene, type Scene, type Seats } from './support/scene.ts';

const LANES = rounds(2, 4);
const APPROVALS = rounds(8, 100);
const LOADS = 3;
const TURNS = 200;
const KEY = `pok_${'a'.repeat(43)}`;
const MOST = '1000000';

/** Addresses of one server, for agents (`baseUrl`) and for the owner (`url`). */
interface Server {
  readonly baseUrl: string;
  readonly url: string;
}

interface Revision {
  readonly id: string;
  readonly contract: Json;
}

interface Won {
  readonly by: 'approved' | 'patched' | 'submitted';
  /** The latest revision once all calls are answered. */
  readonly latest: Revision;
}

describe.skipIf(databaseServer === null)('an approval, while other sessions load both servers', () => {
  let scene: Scene;
  let servers: readonly [Server, Server];
  beforeAll(async () => {
    scene = await openScene({}, OWNER_ID);
    const environment = {
      ...{ DATABASE_URL: scene.databaseUrl, PARLEY_OWNER_KEY: KEY, PARLEY_LOG_LEVEL: 'fatal' },
      ...{ PARLEY_RATE_TOKEN: MOST, PARLEY_RATE_ADDRESS: MOST },
    };
    const started = [await startOwnerServer(environment), await startOwnerServer(environment)] as const;
    const serverOf = ({ url }: OwnerServer): Server => ({ url, baseUrl: `${url}/api/public/agent` });
    servers = [serverOf(started[0]), serverOf(started[1])];
    return async () => {
      for (const server of started) await server.end('SIGKILL');
      await scene.close();
    };
  });

  test(`is of the bytes that the owner named, or of none, ${LANES * APPROVALS} times against patch and submit`, async () => {
    const load = await startLoad();
    const tally = { approved: 0, patched: 0, submitted: 0 };
    await inLanes(LANES, async (lane) => {
      const draws = drawsFrom(lane + 500);
      const seats = await seatWithContract(scene, servers[0], contractOf('r_1'));
      let latest: Revision = { id: 'r_1', contract: contractOf('r_1') };
      const approved: unknown[] = [];
      for (let round = 0; round < APPROVALS; round += 1) {
        await reviewBoth(seats, latest);
        const won = await raceOnce(seats, latest, draws);
        tally[won.by] += 1;
        if (won.by === 'approved') approved.push({ revision_id: latest.id, content_hash: hashOf(latest.contract) });
        latest = won.by === 'approved' ? await reopen(seats, latest) : won.latest;
      }
      expect(await storedApprovals(seats)).toEqual(approved);
    });
    const requests = await load.end();
    const first = `${tally.approved} approved, ${tally.patched} patched, ${tally.submitted} submitted first`;
    console.log(`${first}; load: ${requests} requests`);
    expect(requests).toBeGreaterThan(0);
  });

  /** Posts turns and reads states in other sessions, on both servers, until `end` is called. */
  async function startLoad(): Promise<{ end(): Promise<number> }> {
    const all = await scene.seatMany(LOADS);
    let isOver = false;
    let requests = 0;
    const loading = all.map(async (seats) => {
      for (let turn = 0; !isOver; turn += 1) {
        const seat = turn % 2 === 0 ? seats.agent_a : seats.agent_b;
        const host = servers[turn % 2] ?? servers[0];
        const looks = servers.map((server) => demand({ host: server, seat, route: 'GET state' }));
        if (turn < TURNS) await demand({ host, seat, route: 'POST turns', body: { summary: `Turn ${turn}.` } });
        await Promise.all(looks);
        requests += 3;
      }
    });
    return {
      async end() {
        isOver = true;
        await Promise.all(loading);
        return requests;
      },
    };
  }

  async function reviewBoth({ agent_a, agent_b }: Seats, { id, contract }: Revision): Promise<void> {
    const body = { revision_id: id, content_hash: hashOf(contract), verdict: 'APPROVE' };
    for (const [index, seat] of [agent_a, agent_b].entries())
      await demand({ host: servers[index] ?? servers[0], seat, route: 'POST final-review', body });
  }

  const asOwner = (server: Server, { agent_a }: Seats, operation: string, body: object): Promise<Reply> =>
    send(`${server.url}/owner/api/sessions/${agent_a.sessionId}/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify(body),
    });

  async function seenOn(server: Server, { agent_a }: Seats): Promise<number> {
    const url = `${server.url}/owner/api/sessions/${agent_a.sessionId}`;
    const { body } = await send(url, { method: 'GET', headers: { authorization: `Bearer ${KEY}` } });
    return Object(body.head).seq;
  }

  /**
   * The owner approves the latest revision while the author submits a patch on one server and a new contract on the
   * other.
   */
  async function raceOnce(seats: Seats, latest: Revision, draws: Draws): Promise<Won> {
    const next = `r_${Number(latest.id.slice(2)) + 1}`;
    const named = { expected_parent_id: latest.id, reason: 'The next.' };
    const patch = { ...named, ops: [{ op: 'replace', path: '/title', value: `${next} patched` }] };
    const submission = { ...named, contract: contractOf(`${next} submitted`) };
    const exactly = { revision_id: latest.id, content_hash: hashOf(latest.contract) };
    const decision = { ...exactly, seen: await seenOn(servers[0], seats) };
    const [ofPatch, ofSubmission] = draws.oneOf([servers, [servers[1], servers[0]]]);
    const [approval, patched, submitted] = await Promise.all([
      pause(draws.whole(0, 8)).then(() => asOwner(draws.oneOf(servers), seats, 'approve-contract', decision)),
      pause(draws.whole(0, 8)).then(() => callTool(ofPatch, seats, 'patch_contract', patch)),
      pause(draws.whole(0, 8)).then(() => callTool(ofSubmission, seats, 'submit_contract', submission)),
    ]);
    if (approval.status === 200) {
      expect(approval.body).toMatchObject({ phase: 'READINESS', manifest: exactly });
      const late = { error: 'WRONG_PHASE', phase: 'READINESS' };
      expect([patched, submitted]).toMatchObject([late, late]);
      return { by: 'approved', latest };
    }
    const by = 'error' in patched ? 'submitted' : 'patched';
    const contract = contractOf(`${next} ${by}`);
    const [won, lost] = by === 'patched' ? [patched, submitted] : [submitted, patched];
    expect(won).toMatchObject({ revision_id: next, parent_id: latest.id, content_hash: hashOf(contract) });
    expect(lost).toMatchObject({ error: 'STALE_PARENT', latest_revision_id: next });
    expect(approval).toMatchObject({ status: 409, body: { error: 'STALE_REVISION', latest_revision_id: next } });
    return { by, latest: { id: next, contract } };
  }

  async function callTool({ url }: Server, { agent_a }: Seats, name: string, input: object): Promise<Json> {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { status, body } = await send(`${url}/api/public/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent_a.token}` },
      body: JSON.stringify(call),
    });
    expect(status).toBe(200);
    return JSON.parse(Object(body.result).content[0].text);
  }

  /**
   * Expects that the manifest contains the approved revision. Then the owner requests changes, and the author submits
   * the next revision.
   */
  async function reopen(seats: Seats, { id, contract }: Revision): Promise<Revision> {
    const { manifest } = await demand({ host: servers[1], seat: seats.agent_b, route: 'GET artifacts' });
    expect(manifest).toMatchObject({ content_hash: hashOf(contract) });
    const asked = await asOwner(servers[0], seats, 'request-changes', {
      reason: 'Once more.',
      seen: await seenOn(servers[0], seats),
    });
    expect(asked.status).toBe(200);
    const next = { id: `r_${Number(id.slice(2)) + 1}`, contract: contractOf('After an approval') };
    const body = { expected_parent_id: id, reason: 'Once more.', contract: next.contract };
    await demand({ host: servers[1], seat: seats.agent_a, route: 'POST contract', body });
    return next;
  }

  /** Returns the approvals in the log. Expects that each approved the revision that was the latest at that moment. */
  async function storedApprovals({ agent_a: { sessionId } }: Seats): Promise<unknown[]> {
    const approvals: unknown[] = [];
    let latest: unknown;
    for (let from = 1; ; from += 500) {
      const events = await scene.storage.events(sessionId, from, from + 499);
      for (const { kind, data } of events.map(({ body }) => JSON.parse(body))) {
        const named = { revision_id: data.revision_id, content_hash: data.content_hash };
        if (kind === 'revision.created') latest = named;
        if (kind !== 'contract.approved') continue;
        expect(named).toEqual(latest);
        approvals.push(named);
      }
      if (events.length < 500) return approvals;
    }
  }
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
