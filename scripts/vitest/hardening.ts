/**
 * Tests that take too long for `npm test`; `pnpm test:hardening` runs them. `LONG_WALKS`: folders of tests that walk
 * randomly through a model. `LONG_STORIES`: single files, each with tests of any kind. `REPLACING`: files that replace
 * a module which other files have loaded, so that each of them needs modules of its own.
 */
export const LONG_WALKS = ['packages/core/test/model', 'packages/core/test/verify-model'];
export const LONG_STORIES = [
  'test/http/hostile/sessions.test.ts',
  'test/http/wire/access/access-matrix.test.ts',
  'test/http/wire/access/other-agent.test.ts',
  'test/http/wire/access/refused-credentials.test.ts',
  'test/http/wire/another-process.test.ts',
  'test/http/wire/moderator-standing.test.ts',
  'test/http/wire/readiness.test.ts',
  'test/scenarios/bots.test.ts',
  'test/scenarios/crash.test.ts',
  'test/scenarios/described.test.ts',
  'test/scenarios/inbox.test.ts',
  'test/scenarios/real-time-poll.test.ts',
  'test/scenarios/verify-hash.test.ts',
  'test/workspace/documents/embedding-documents.test.ts',
  'test/workspace/postgres-server.test.ts',
  'bench/test/failing-bench.test.ts',
  'packages/core/test/answers/sizes.test.ts',
  'packages/core/test/validation/schema-oracle.test.ts',
  'packages/owner-app/test/agent/demo-run.test.ts',
  'packages/owner-app/test/agent/run.test.ts',
  'packages/owner-app/test/agent/run-breaks.test.ts',
  'packages/owner-app/test/cli/backup.test.ts',
  'packages/owner-app/test/cli/demo.test.ts',
  'packages/owner-app/test/cli/hostile/every-command.test.ts',
  'packages/owner-app/test/cli/lazy-start.test.ts',
  'packages/owner-app/test/cli/retain.test.ts',
  'packages/owner-app/test/doctor/deployments.test.ts',
  'packages/owner-app/test/doctor/proxies.test.ts',
  'packages/owner-app/test/retain/retain.test.ts',
  'packages/owner-app/test/retain/s3.test.ts',
  'packages/owner-app/test/server/access-matrix.test.ts',
  'packages/owner-app/test/server/echoed-secrets.test.ts',
  'packages/owner-app/test/server/serve-lifecycle.test.ts',
  'packages/owner-app/test/server/serve.test.ts',
  'packages/storage-pg/test/postgres/beside-postgres.test.ts',
  'packages/storage-pg/test/pglite/take-over.test.ts',
  'packages/storage-pg/test/crash.test.ts',
  'packages/storage-pg/test/hints/redis-hints.test.ts',
];
export const REPLACING = [
  'packages/storage-pg/test/pglite/crash-power-cut.test.ts',
  'packages/storage-pg/test/pglite/pglite-durability.test.ts',
];

/** All of these tests as glob patterns, which the other configurations exclude. */
export const HARDENING = [...LONG_WALKS.map((folder) => `${folder}/**`), ...LONG_STORIES, ...REPLACING];

/**
 * Throws an error with the right command if the arguments of vitest name one of these tests. Without the error, vitest
 * would run the other named files and leave this one out without a word.
 */
export function refuseLongTests(args: readonly string[]): void {
  const named = args.filter((arg) =>
    [...LONG_WALKS, ...LONG_STORIES, ...REPLACING].some((place) => arg.startsWith(place)),
  );
  if (named.length > 0)
    throw new Error(`npm test leaves these out. Run: npx vitest run -c vitest.hardening.config.ts ${named.join(' ')}`);
}
