import { createMemoryStorage, type Notice } from '@parley/core';
import { type OpenedSession, openSession } from '@parley/core/testing';
import { createLog } from '@parley/http-host/program';
import { expect, onTestFinished } from 'vitest';
import { type NotifierOptions, startNotifier } from '../../src/server/notify/notifier.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A session with a running notifier, and the receiver of its notices. */
export interface Told extends OpenedSession {
  readonly receiver: Receiver;
  readonly log: readonly string[];
  /**
   * Returns the ids of the received notices in the order of arrival. The session id at the beginning of each id is
   * removed.
   */
  ids(): string[];
  /** Resolves when no notice of the session is due. */
  allTold(): Promise<void>;
  /** Resolves when `count` log lines contain `words`. Default: one line. */
  says(words: string, count?: number): Promise<void>;
  /**
   * Resolves when exactly `count` timers are pending: one of the service, one for the next search for due notices, and
   * one for each notice that is sent later.
   */
  timers(count: number): Promise<void>;
  /**
   * Closes the notifier and starts another notifier on the same sessions. Resolves after the new notifier has searched
   * for due notices once.
   */
  restart(): Promise<void>;
  closeNotifier(): Promise<void>;
}

interface TellOptions {
  readonly answer?: Answer;
  readonly session?: OpenedSession;
  readonly changes?: Partial<NotifierOptions>;
}

export async function openTold({ answer, session, changes }: TellOptions = {}): Promise<Told> {
  const opened = session ?? (await openSession({ storage: withoutCalls() }));
  const { owner, sessionId, clock } = opened;
  const receiver = await startReceiver(answer);
  const log: string[] = [];
  const start = () =>
    startNotifier({
      owner,
      webhook: { url: receiver.url, secrets: [SECRET] },
      pageOf: (path) => `https://parley.example.com${path}`,
      log: createLog('debug', { write: (line) => void log.push(line) }),
      clock,
      random: () => 0,
      ...changes,
    });
  const until = (isSo: () => boolean | Promise<boolean>) =>
    expect.poll(async () => (await isSo()) || `${receiver.received.length} received; ${log.join('')}`).toBe(true);
  let notifier = start();
  onTestFinished(() => notifier.close());
  const firstSearch = () => until(() => clock.pending() >= TIMERS_AT_REST);
  await firstSearch();
  return {
    ...opened,
    receiver,
    log,
    ids: () => receiver.received.map(({ headers }) => String(headers['webhook-id']).replace(`${sessionId}:`, '')),
    allTold: () => until(async () => (await owner.dueNotices(sessionId)).length === 0),
    says: (words, count = 1) => until(() => log.filter((line) => line.includes(words)).length >= count),
    timers: (count) => until(() => clock.pending() === count),
    closeNotifier: () => notifier.close(),
    async restart() {
      await notifier.close();
      notifier = start();
      await firstSearch();
    },
  };
}

/**
 * A storage that cannot store the most recent call of each agent. Otherwise the service would set a timer for storing
 * these calls, and the tests count timers.
 */
function withoutCalls() {
  const { saveCalls: _save, loadCalls: _load, ...storage } = createMemoryStorage();
  return storage;
}

/** Number of timers when no notice waits: one of the service, and one for the next search for due notices. */
const TIMERS_AT_REST = 2;

/** Posts a turn in which a builder asks the owner a blocking question. */
export async function askOwner(
  session: OpenedSession,
  by: 'agentA' | 'agentB' = 'agentA',
  text = 'Which port?',
): Promise<void> {
  const questions = [{ text, to: 'owner' as const, blocking: true }];
  await session[by].call('post_turn', { summary: 'A turn.', questions });
}

/**
 * Creates and starts another session of the same owner. In the result, only `agentA` and the session id belong to the
 * new session.
 */
export async function openAnother(session: OpenedSession): Promise<OpenedSession> {
  const { owner, parley } = session;
  const requirements = [{ requirement_id: 'R1', text: 'x' }];
  const { session_id: sessionId } = await owner.createSession({ title: 'Another', objective: 'O', requirements });
  const { code } = await owner.invite(sessionId, { role: 'agent_a' });
  await owner.start(sessionId);
  return { ...session, sessionId, agentA: parley.agent((await parley.redeem({ code })).token) };
}

/** The text in the log line of a failed delivery. */
export const FAILED = 'a notice was not delivered';

export const bodyOf = ({ receiver }: Pick<Told, 'receiver'>, index: number): Partial<Notice> & { url?: string } =>
  JSON.parse(receiver.received[index]?.body ?? '{}');
