/**
 * Records the time of each agent's latest call in memory. Every 15 s, if there were calls, the process saves the times
 * in the storage, so that other processes can show them to the owner. A time may be lost, because the times are not
 * part of the log; the agent's next call replaces it.
 */
import type { Clock } from '../clock.ts';
import { AGENTS, type Agent, type LastCall, type LastCalls, type Role } from '../roles.ts';
import type { Storage, StoredCall } from '../storage/storage.ts';

/** Milliseconds between two saves of the latest call of each agent in the storage. */
const SAVE_INTERVAL_MS = 15_000;
/**
 * Milliseconds for which a long-poll that another process has saved counts as waiting: two intervals of 15 s, and 10 s for a late
 * save.
 */
const WAITING_VALID_MS = 40_000;
/** Maximum number of sessions whose calls are kept until they are saved. Beyond it, the oldest calls are dropped. */
const MAX_SESSIONS = 20_000;

interface Note {
  atMs: number;
  /** Number of waiting calls of this role. */
  waiting: number;
  isSaved: boolean;
}

type Notes = Partial<Record<Agent, Note>>;

export interface PresenceKeeper {
  called(sessionId: string, role: Agent): void;
  /**
   * Records that a call has begun to wait. The returned function records that the wait has ended. Waiting calls of the
   * owner are not recorded.
   */
  waiting(sessionId: string, role: Role): () => void;
  /** The latest call of each role in a session, from all processes. */
  of(sessionId: string): Promise<LastCalls>;
  /** The latest calls in a session that only the memory of this process has: not saved yet, or still waiting. */
  ownOf(sessionId: string): LastCalls;
  ofAll(sessionIds: readonly string[]): Promise<ReadonlyMap<string, LastCalls>>;
  /** Waits for a save in progress, saves the calls that are not saved yet, and stops. */
  close(): Promise<void>;
}

interface Parts {
  readonly storage: Pick<Storage, 'saveCalls' | 'loadCalls'>;
  readonly clock: Clock;
  /** Called if the storage fails. Called once for several failures in a row. */
  readonly onPresenceFailure?: ((error: unknown) => void) | undefined;
}

export function createPresenceKeeper({ storage, clock, onPresenceFailure }: Parts): PresenceKeeper {
  const sessions = new Map<string, Notes>();
  let isFailing = false;
  let cancel: (() => void) | undefined;
  let isClosed = false;
  /** Resolves when the saves in progress have ended. */
  let saving: Promise<unknown> = Promise.resolve();

  const schedule = (): void => {
    if (cancel || isClosed || !storage.saveCalls) return;
    cancel = clock.after(SAVE_INTERVAL_MS, () => {
      cancel = undefined;
      const saved = saveAll().then(() => {
        if (sessions.size > 0) schedule();
      });
      saving = Promise.all([saving, saved]);
    });
  };

  async function saveAll(): Promise<void> {
    try {
      await saveDue(sessions, storage, clock.now());
      isFailing = false;
    } catch (error) {
      if (!isFailing) onPresenceFailure?.(error);
      isFailing = true;
    }
  }

  function note(sessionId: string, role: Agent): Note {
    const noted = noteOf(sessions, sessionId, role);
    noted.atMs = clock.now();
    noted.isSaved = false;
    schedule();
    return noted;
  }

  const ofAll = async (sessionIds: readonly string[]): Promise<ReadonlyMap<string, LastCalls>> => {
    const stored = sessionIds.length > 0 ? ((await storage.loadCalls?.(sessionIds)) ?? []) : [];
    const now = clock.now();
    const valid = stored.map((call) => ({ ...call, isWaiting: call.isWaiting && now - call.atMs < WAITING_VALID_MS }));
    const own = sessionIds.flatMap((sessionId) => callsIn(sessionId, sessions.get(sessionId) ?? {}, now));
    return newestOf([...valid, ...own]);
  };

  return {
    called: note,
    waiting(sessionId, role) {
      if (role === 'owner') return () => undefined;
      note(sessionId, role).waiting += 1;
      return () => {
        const ended = note(sessionId, role);
        ended.waiting = Math.max(0, ended.waiting - 1);
      };
    },
    of: async (sessionId) => (await ofAll([sessionId])).get(sessionId) ?? {},
    ofAll,
    ownOf: (id) => newestOf(callsIn(id, sessions.get(id) ?? {}, clock.now())).get(id) ?? {},
    async close() {
      isClosed = true;
      cancel?.();
      await saving;
      await saveAll();
    },
  };
}

function noteOf(sessions: Map<string, Notes>, sessionId: string, role: Agent): Note {
  const notes = sessions.get(sessionId) ?? {};
  if (!sessions.has(sessionId)) {
    const [oldest] = sessions.keys();
    if (oldest !== undefined && sessions.size >= MAX_SESSIONS) sessions.delete(oldest);
    sessions.set(sessionId, notes);
  }
  const noted = notes[role] ?? { atMs: 0, waiting: 0, isSaved: false };
  notes[role] = noted;
  return noted;
}

/**
 * Saves each call that is not saved yet. A waiting call is saved again at each save, because its agent is still present.
 * Throws if the storage fails; the next save then contains the same calls again.
 */
async function saveDue(sessions: Map<string, Notes>, storage: Parts['storage'], now: number): Promise<void> {
  const due = [...sessions].flatMap(([sessionId, notes]) =>
    entriesOf(notes)
      .filter(([, { isSaved, waiting }]) => !isSaved || waiting > 0)
      .map(([role, noted]) => {
        noted.isSaved = true;
        return { noted, call: { sessionId, role, ...callOf(noted, now) } };
      }),
  );
  if (due.length === 0 || !storage.saveCalls) return;
  try {
    await storage.saveCalls(due.map(({ call }) => call));
    for (const { call, noted } of due) forgetSaved(sessions, call, noted);
  } catch (error) {
    for (const { noted } of due) noted.isSaved = false;
    throw error;
  }
}

function newestOf(calls: readonly StoredCall[]): Map<string, LastCalls> {
  const found = new Map<string, LastCalls>();
  for (const { sessionId, role, ...call } of calls) {
    const known = found.get(sessionId) ?? {};
    const earlier = known[role];
    const isNewer = !earlier || call.atMs > earlier.atMs || (call.atMs === earlier.atMs && call.isWaiting);
    if (isNewer) found.set(sessionId, { ...known, [role]: call });
  }
  return found;
}

const callsIn = (sessionId: string, notes: Notes, now: number): StoredCall[] =>
  entriesOf(notes).map(([role, noted]) => ({ sessionId, role, ...callOf(noted, now) }));

const entriesOf = (notes: Notes): [Agent, Note][] =>
  AGENTS.flatMap((role) => {
    const noted = notes[role];
    return noted ? [[role, noted]] : [];
  });

const callOf = ({ atMs, waiting }: Note, now: number): LastCall =>
  waiting > 0 ? { atMs: now, isWaiting: true } : { atMs, isWaiting: false };

/** Removes a saved call from memory, unless the agent has called again meanwhile or a call is waiting. */
function forgetSaved(sessions: Map<string, Notes>, { sessionId, role }: StoredCall, note: Note): void {
  const notes = sessions.get(sessionId);
  if (!notes || notes[role] !== note || !note.isSaved || note.waiting > 0) return;
  delete notes[role];
  if (Object.keys(notes).length === 0) sessions.delete(sessionId);
}
