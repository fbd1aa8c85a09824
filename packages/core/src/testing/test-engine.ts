import { domain } from '../areas/domain.ts';
import type { SessionState } from '../areas/state.ts';
import { createEngine } from '../kernel/engine/create-engine.ts';
import type { Engine } from '../kernel/engine/engine.ts';
import { DEFAULT_LIMITS, type Limits } from '../kernel/limits.ts';
import { DEFAULT_CACHE } from '../kernel/session/cache-sizes.ts';
import { createResponseCache } from '../kernel/session/response-cache.ts';
import { createSessions } from '../kernel/session/sessions.ts';
import { createDocuments } from '../kernel/session/stored-texts.ts';
import { createMemoryStorage } from '../kernel/storage/memory-storage.ts';
import { openCertificateKeys } from '../kernel/token/certificate-keys.ts';
import { createTestRandom, type TestClock } from './test-clock.ts';

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
