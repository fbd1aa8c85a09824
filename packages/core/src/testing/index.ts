export { describeStorage } from './describe-storage.ts';
export { type Given, type GivenOptions, given, type OperationName, type Outcome, type PastEvent } from './given.ts';
export { type OpenedSession, type OpenSessionOptions, openSession } from './open-session.ts';
export type { OpenedStorage } from './opened-storage.ts';
export { createTestClock, createTestRandom, type TestClock } from './test-clock.ts';
