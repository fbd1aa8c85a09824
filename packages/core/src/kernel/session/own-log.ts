import { backOffMs, type Clock, isoTime, sleep } from '../clock.ts';
import { fail } from '../errors.ts';
import {
  attributed,
  type EventDraft,
  GENESIS,
  type Head,
  type LoggedEvent,
  type LogReport,
  verifyLog,
} from '../log/event.ts';
import type { EventCatalog } from '../log/event-catalog.ts';
import type { LogDomain, SessionRoot } from '../operation/operation.ts';
import type { PersonRef } from '../person.ts';
import { logLines, storedEvents } from '../storage/storable.ts';
import type { Storage } from '../storage/storage.ts';
import type { RandomBytes } from '../token/token.ts';
import { prepareEvents, storeExactly } from './append.ts';
import { createSessionQueue, createSessions } from './sessions.ts';

interface OwnLogKind<S extends SessionRoot> {
  readonly catalog: EventCatalog;
  /** The owner id under which the storage lists the log. No account has this id. */
  readonly ownerId: string;
  readonly title: string;
  readonly phase: string;
  /** The members of the state before the first event. */
  readonly start: Omit<S, keyof SessionRoot>;
  /** The members of the state that an event changes. */
  evolve(state: S, event: LoggedEvent): Partial<Omit<S, keyof SessionRoot>>;
}

/** The domain of a log that a storage keeps like the log of a session. */
export const ownLogDomain = <S extends SessionRoot>(kind: OwnLogKind<S>): LogDomain<S> => ({
  catalog: kind.catalog,
  empty: (sessionId) =>
    ({ ...kind.start, sessionId, ownerId: kind.ownerId, head: GENESIS, at: isoTime(0) }) satisfies SessionRoot as S,
  evolve: (state, event) => {
    const { seq, hash, at } = event;
    return { ...state, head: { seq, hash }, at, ...kind.evolve(state, event) };
  },
  settleObligations: () => [],
  listing: ({ at }) => ({ title: kind.title, status: 'ACTIVE', phase: kind.phase, createdAt: at }),
});

type Decide<S, P, D> = (state: S, by: P | undefined) => readonly D[];

/** A log of events of the owner, such as the log of people, that a storage keeps beside the logs of sessions. */
export interface OwnLog<S, D> {
  /** The state at the head that the storage has now. */
  load(): Promise<S>;
  /**
   * Stores the events of a change. If another process has stored events first, decides again on the newer state.
   *
   * @param who asked before each decision: the person who makes the change; rejects to refuse the change
   * @param decide gets the newest state and the person; returns the events to store; none if the state needs no change
   * @returns the state after the change
   * @throws ParleyError CONFLICT after 21 lost races
   */
  change<P extends PersonRef>(who: () => Promise<P | undefined>, decide: Decide<S, P, D>): Promise<S>;
  /** Verifies the stored log up to the present head. Folds nothing, so a broken log gives a report too. */
  verify(): Promise<LogReport>;
  /** The log as JSON lines, like the export of a session's log. A broken log is exported as it is. */
  lines(): AsyncIterable<string>;
}

export interface OwnLogParts<S extends SessionRoot> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly domain: LogDomain<S>;
  /** The id of the log in the storage. No session has this id. */
  readonly sessionId: string;
  /** The subject of the log in an error message, such as `people`. */
  readonly about: string;
  /** Called with each state that the storage has confirmed. */
  readonly onState: (state: S) => void;
}

const MAX_LOSSES = 20;
/** Limits of the pause after a lost race, in milliseconds. */
const PAUSE = { firstMs: 5, mostMs: 200 };
const CACHE = { stateBytes: 32_000_000, eventBytes: 1_000_000 };

/** Opens a log. The storage contains the log only after its first event is stored. */
export function openOwnLog<S extends SessionRoot, D extends EventDraft>({
  storage,
  clock,
  random,
  domain,
  sessionId,
  about,
  onState,
}: OwnLogParts<S>): OwnLog<S, D> {
  const sessions = createSessions(storage, domain, CACHE);
  const oneByOne = createSessionQueue();
  const place = { engine: { storage }, sessionId };
  const storedHead = async (): Promise<Head> => (await storage.fetch(sessionId, 0, 0))?.head ?? GENESIS;

  const load = async (): Promise<S> => {
    const state = (await sessions.load(sessionId)) ?? domain.empty(sessionId);
    onState(state);
    return state;
  };

  /** Stores events. Returns undefined if another process has stored events first. */
  const store = async (before: S, drafts: readonly D[], by: PersonRef | undefined): Promise<S | undefined> => {
    const owned = drafts.map((draft) => attributed(draft, 'owner', by));
    const prepared = prepareEvents(domain, before, owned, clock.now());
    if (!(await storeExactly({ storage, clock, domain }, before.head, prepared))) return undefined;
    const { state, stored } = prepared;
    sessions.keep(before.head, state, stored);
    storage.hint([sessionId]);
    onState(state);
    return state;
  };

  const changeNow = async <P extends PersonRef>(
    who: () => Promise<P | undefined>,
    decide: Decide<S, P, D>,
  ): Promise<S> => {
    for (let losses = 0; losses <= MAX_LOSSES; losses += 1) {
      if (losses > 0) await sleep(clock, backOffMs(losses, { ...PAUSE, random: (random(1)[0] ?? 0) / 255 }));
      const by = await who();
      const before = await load();
      const drafts = decide(before, by);
      const after = drafts.length === 0 ? before : await store(before, drafts, by);
      if (after) return after;
    }
    return fail(
      'CONFLICT',
      `The change was not stored: other changes to the log of ${about} were stored first, ${MAX_LOSSES + 1} times in a row.`,
    );
  };

  return {
    load,
    change: (who, decide) => oneByOne(sessionId, () => changeNow(who, decide)),
    async verify() {
      const head = await storedHead();
      return await verifyLog(storedEvents(place, 1, head.seq), head, sessionId);
    },
    async *lines() {
      const { seq } = await storedHead();
      yield* logLines(place, seq);
    },
  };
}
