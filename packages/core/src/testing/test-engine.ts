import { domain } from '../areas/domain.ts';
import type { SessionState } from '../areas/state.ts';
import type { Clock } from '../kernel/clock.ts';
import { createEngine } from '../kernel/engine/create-engine.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { DEFAULT_LIMITS, type Limits } from '../kernel/limits.ts';
import { createResponseCache, createSessions, DEFAULT_CACHE } from '../kernel/session/sessions.ts';
import { createDocuments } from '../kernel/session/stored-texts.ts';
import { createMemoryStorage } from '../kernel/storage/memory-storage.ts';
import { openCertificateKeys } from '../kernel/token/certificate-keys.ts';
import type { RandomBytes } from '../kernel/token/token.ts';

/** A clock whose time changes only when a test advances it. */
export interface TestClock extends Clock {
  /** Advances the time, and runs every timer that becomes due, the earliest first. */
  advance(ms: number): void;
  /** Number of timers that have not run yet. */
  pending(): number;
}

interface Timer {
  readonly due: number;
  readonly task: () => void;
}

/**
 * A clock for tests, whose timers run only inside `advance`.
 * @param start the initial time, ISO 8601
 */
export function createTestClock(start = '2026-01-05T09:00:00.000Z'): TestClock {
  const timers = new Set<Timer>();
  let now = Date.parse(start);
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ due }) => due <= end).toSorted((a, b) => a.due - b.due)[0];
  return {
    now: () => now,
    after(ms, task) {
      const timer = { due: now + ms, task };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.due);
        timer.task();
      }
      now = end;
    },
    pending: () => timers.size,
  };
}

/** A source of repeatable bytes: the same seed gives the same bytes, and therefore the same ids. For tests only. */
export function createTestRandom(seed = 1): RandomBytes {
  let state = seed >>> 0;
  const nextByte = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, nextByte);
}

/** An engine on an empty storage in memory, for tests that call `decide` and `reply` without I/O. */
export function createTestEngine(clock: TestClock, limits: Partial<Limits> = {}): Engine<SessionState> {
  const storage = createMemoryStorage();
  return createEngine({
    domain,
    storage,
    clock,
    random: createTestRandom(),
    sessions: createSessions(storage, domain, DEFAULT_CACHE),
    documents: createDocuments(storage, DEFAULT_CACHE.documentBytes),
    responseCache: createResponseCache(DEFAULT_CACHE.answerBytes),
    limits: { ...DEFAULT_LIMITS, ...limits },
    key: 'key of the tests',
    certificateKeys: openCertificateKeys('key of the tests'),
    service: { name: 'parley', version: '0.0.0', entrance: {}, joining: 'Redeem a code.' },
  });
}
