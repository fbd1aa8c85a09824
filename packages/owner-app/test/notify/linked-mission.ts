import { type Clock, createMemoryStorage, createParley, type Owner, type Parley, type Storage } from '@parley/core';
import { createTestClock, type TestClock } from '@parley/core/testing';
import { createLog } from '@parley/http-host/program';
import { type CallTool, loadMission, runMission } from '@parley/missions';
import { expect, onTestFinished } from 'vitest';
import { type CommitStatusOptions, startCommitStatuses } from '../../src/server/notify/commit-statuses.ts';
import { type Answer, type Received, type Receiver, startReceiver } from './receiver.ts';

export const TOKEN = 'forge-token-of-this-test-0123456789';

/** A session of the mission payment-capture whose agent_a is linked with a fake forge. */
export interface Linked {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly agents: Readonly<Record<'agent_a' | 'agent_b', CallTool>>;
  readonly storage: Storage;
  readonly clock: TestClock;
  readonly sessionId: string;
  readonly forge: Receiver;
  readonly log: readonly string[];
  /** The bodies of the requests, in the order of arrival. */
  bodies(): readonly Readonly<Record<string, string>>[];
  /** Resolves when nothing is due. */
  allPosted(): Promise<void>;
  /** Resolves when the latest reports of the link are these, each as `context state result`. */
  reports(...expected: readonly string[]): Promise<void>;
  /** Ends the posting. */
  stop(): Promise<void>;
  /** Begins it again, as another process would. */
  start(changes?: Partial<CommitStatusOptions>): void;
}

interface LinkOptions {
  readonly forge?: 'github' | 'gitlab' | 'gitea';
  readonly answer?: Answer;
  /** Whether the mission is played up to the deployment; default: up to the first handshakes. */
  readonly isWhole?: boolean;
  /** The address of the API. Default: that of the fake forge. */
  readonly api?: string;
  readonly options?: Partial<CommitStatusOptions>;
}

const PATHS = { github: '/api/v3', gitlab: '/api/v4', gitea: '/api/v1' } as const;

export async function openLinked({
  forge: kind = 'github',
  answer,
  isWhole = false,
  api,
  options,
}: LinkOptions = {}): Promise<Linked> {
  const forge = await startReceiver(answer);
  const { clock, storage } = { clock: createTestClock(), storage: createMemoryStorage() };
  const parley = await createParley({ storage, clock });
  const owner = parley.owner('owner');
  const log: string[] = [];
  const start = (changes: Partial<CommitStatusOptions> = {}) =>
    startCommitStatuses({ ...optionsOf(parley, clock, log), ...options, ...changes });
  let posting = start();
  onTestFinished(async () => {
    await posting.close();
    await parley.close();
  });
  const link = { role: 'agent_a', forge: kind, repository: 'shop/orders', token: TOKEN } as const;
  const address = api ?? `${new URL(forge.url).origin}${PATHS[kind]}`;
  const { sessionId, agents } = await runMission(
    await missionUpTo(isWhole),
    { owner, agents: async ({ code }) => parley.agent((await parley.redeem({ code })).token).call as CallTool },
    async ({ index, sessionId: id }) => void (index === 0 && (await owner.linkChange(id, { ...link, api: address }))),
  );
  const until = (look: () => Promise<unknown>, expected: unknown) => expect.poll(look).toEqual(expected);
  return {
    ...{ parley, owner, agents, storage, clock, sessionId, forge, log },
    bodies: () => forge.received.map(({ body }: Received) => JSON.parse(body)),
    allPosted: () => until(() => parley.statuses.due(sessionId), []),
    reports: (...expected) => until(async () => await reportsOf(owner, sessionId), expected),
    stop: () => posting.close(),
    start(changes) {
      posting = start(changes);
    },
  };
}

const optionsOf = (parley: Parley, clock: Clock, log: string[]): CommitStatusOptions => ({
  statuses: parley.statuses,
  hosts: ['127.0.0.1'],
  pageOf: (path) => `https://parley.example.com${path}`,
  log: createLog('debug', { write: (line) => void log.push(line) }),
  clock,
  random: () => 0,
});

const reportsOf = async (owner: Owner, sessionId: string): Promise<string[]> =>
  (await owner.changeLinks(sessionId)).links.flatMap(({ statuses }) =>
    statuses.map(({ context, state, result }) => `${context} ${state} ${result}`),
  );

async function missionUpTo(isWhole: boolean) {
  const mission = await loadMission('payment-capture');
  const end = mission.verification.findIndex(({ by, call }) =>
    isWhole ? by === 'owner' && call === 'authorize' : call !== 'verify_handshake',
  );
  return { ...mission, verification: mission.verification.slice(0, end) };
}
