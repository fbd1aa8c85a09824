/** Folders and files of tests that take too long for `npm test`; `pnpm test:hardening` runs them. */
export const LONG_WALKS = ['packages/core/test/model', 'packages/core/test/verify-model'];
export const LONG_STORIES = [
  'test/scenarios/crash.test.ts',
  'test/scenarios/real-time-poll.test.ts',
  'test/scenarios/verify-hash.test.ts',
  'test/http/wire/another-process.test.ts',
  'packages/storage-pg/test/beside-postgres.test.ts',
  'packages/storage-pg/test/crash.test.ts',
  'packages/storage-pg/test/crash-power-cut.test.ts',
  'packages/storage-pg/test/pglite-durability.test.ts',
  'packages/storage-pg/test/redis-hints.test.ts',
  'packages/core/test/answers/sizes.test.ts',
  'packages/owner-app/test/backup.test.ts',
  'packages/owner-app/test/doctor/deployments.test.ts',
  'packages/owner-app/test/doctor/proxies.test.ts',
  'packages/owner-app/test/serve-lifecycle.test.ts',
];

/** The folders and files above as glob patterns, which other configurations exclude. */
export const HARDENING = [...LONG_WALKS.map((folder) => `${folder}/**`), ...LONG_STORIES];
