import { backOffMs } from '../kernel/back-off.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import { fail } from '../kernel/errors.ts';
import { attributed, GENESIS, type Head } from '../kernel/log/event.ts';
import { type LogReport, verifyLog } from '../kernel/log/verify-log.ts';
import { PEOPLE_LOG, type PersonRef } from '../kernel/person.ts';
import { appendExactly, createExactly, prepareEvents } from '../kernel/session/append.ts';
import { createSessionQueue } from '../kernel/session/session-queue.ts';
import { createSessions } from '../kernel/session/sessions.ts';
import type { Storage } from '../kernel/storage/storage.ts';
import type { RandomBytes } from '../kernel/token/token.ts';
import { logLines, storedEvents } from '../owner-log.ts';
import { type PeopleDraft, type PeopleState, peopleDomain } from './state.ts';

/** Decides on a state which events are stored. None: the state is as wanted already. */
type Decide = (state: PeopleState) => readonly PeopleDraft[];

/** The log of people in a storage. */
export interface PeopleLog {
  /** The state at the head that the storage has now. */
  load(): Promise<PeopleState>;
  /**
   * Stores the events of a change. After a lost race against another process, decides again on the newer state.
   *
   * @param by who makes the change
   * @returns the state after the change
   * @throws ParleyError CONFLICT after 20 lost races
   */
  change(by: PersonRef | undefined, decide: Decide): Promise<PeopleState>;
  /** Verifies the stored log up to the head that the storage has now. Folds nothing, so that it also reports on a broken log. */
  verify(): Promise<LogReport>;
  /** The log as JSON lines, like the export of a session's log. A broken log is exported as it is. */
  lines(): AsyncIterable<string>;
}

/** The storage of the log, and what its changes need. */
export interface PeopleLogParts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called with each state that the storage has confirmed. */
  readonly onState: (state: PeopleState) => void;
}

const { sessionId } = PEOPLE_LOG;
const MAX_LOSSES = 20;
/** Limits of the pause after a lost race, in milliseconds. */
const PAUSE = { firstMs: 5, mostMs: 200 };
const CACHE = { stateBytes: 32_000_000, eventBytes: 1_000_000 };

/** Opens the log of people. It does not exist in the storage until its first event is stored. */
export function openPeopleLog({ storage, clock, random, onState }: PeopleLogParts): PeopleLog {
  const sessions = createSessions(storage, peopleDomain, CACHE);
  const inTurn = createSessionQueue();
  const place = { engine: { storage }, sessionId };
  const storedHead = async (): Promise<Head> => (await storage.fetch(sessionId, 0, 0))?.head ?? GENESIS;

  const load = async (): Promise<PeopleState> => {
    const state = (await sessions.load(sessionId)) ?? peopleDomain.empty(sessionId);
    onState(state);
    return state;
  };

  /** Stores events. Returns undefined if another process has stored events first. */
  const store = async (
    before: PeopleState,
    drafts: readonly PeopleDraft[],
    by: PersonRef | undefined,
  ): Promise<PeopleState | undefined> => {
    const owned = drafts.map((draft) => attributed(draft, 'owner', by));
    const prepared = prepareEvents(peopleDomain, before, owned, clock.now());
    const { state, stored: events, documents } = prepared;
    const isFirst = before.head.seq === 0;
    const append = { sessionId, expected: before.head, events, documents, listing: peopleDomain.listing(state) };
    const isStored = isFirst
      ? await isCreated(() => createExactly({ storage, clock, domain: peopleDomain }, prepared, null))
      : (await appendExactly(storage, clock, append)) === 'appended';
    if (!isStored) return undefined;
    sessions.keep(before.head, state, events);
    storage.hint([sessionId]);
    onState(state);
    return state;
  };

  /** Runs the creation of the log. False if it failed because another process has created the log. */
  const isCreated = async (create: () => Promise<void>): Promise<boolean> => {
    try {
      await create();
      return true;
    } catch (error) {
      if ((await load()).head.seq === 0) throw error;
      return false;
    }
  };

  const changeNow = async (by: PersonRef | undefined, decide: Decide): Promise<PeopleState> => {
    for (let losses = 0; losses <= MAX_LOSSES; losses += 1) {
      if (losses > 0) await sleep(clock, backOffMs(losses, { ...PAUSE, random: (random(1)[0] ?? 0) / 255 }));
      const before = await load();
      const drafts = decide(before);
      const after = drafts.length === 0 ? before : await store(before, drafts, by);
      if (after) return after;
    }
    return fail(
      'CONFLICT',
      `The change was not stored: other changes of people were stored first, ${MAX_LOSSES + 1} times in a row.`,
    );
  };

  return {
    load,
    change: (by, decide) => inTurn(sessionId, () => changeNow(by, decide)),
    async verify() {
      const head = await storedHead();
      return await verifyLog(storedEvents(place, 1, head.seq), head);
    },
    async *lines() {
      const { seq } = await storedHead();
      yield* logLines(place, seq);
    },
  };
}
