export { type Given, type GivenOptions, given, type OperationName } from './given.ts';
export { type OpenedSession, type OpenSessionOptions, openSession, seenIn } from './open-session.ts';
export type { Outcome, PastEvent } from './outcome.ts';
export { describeStorage } from './storage/describe-storage.ts';
export type { OpenedStorage } from './storage/opened-storage.ts';
export { createTestClock, createTestRandom, type TestClock } from './test-clock.ts';
