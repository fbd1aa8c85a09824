export { type Given, type GivenOptions, given, type OperationName, type Outcome, type PastEvent } from './given.ts';
export { type OpenedSession, type OpenSessionOptions, openSession, seenIn } from './open-session.ts';
export { describeStorage } from './storage/describe-storage.ts';
export type { OpenedStorage } from './storage/samples.ts';
export { createTestClock, createTestRandom, type TestClock } from './test-engine.ts';
