import type { PastEvent } from '../../src/testing/index.ts';
import { A_COMMIT, B_COMMIT } from './builds.ts';

export const GITHUB = 'https://token.actions.githubusercontent.com';
/** The workflow of a builder, as the owner binds it. */
export const BOUND = {
  role: 'agent_a' as const,
  forge: 'github' as const,
  repository: 'acme/shop',
  workflow: '.github/workflows/parley.yml',
  ref: 'refs/heads/main',
};
/** A report of the workflow of a builder, on its commit. */
export const reported = (
  by: 'agent_a' | 'agent_b',
  { failed = 0, attempt }: { readonly failed?: number; readonly attempt?: number } = {},
): PastEvent => ({
  kind: 'evidence.reported',
  actor: 'system',
  data: {
    ...{
      scenario_id: 'test-reserve',
      by,
      kind: 'test_report' as const,
      claim: 'Run 1',
      summary: 'Sent.',
      request_id: '',
    },
    ...{ assertions: [], commit: by === 'agent_a' ? A_COMMIT : B_COMMIT },
    run: {
      ...{ argv: [], exit_code: failed, commit: A_COMMIT, on: by },
      report: { format: 'junit', sha256: 'd'.repeat(64), size: 9, passed: 1, failed, skipped: 0, tests: [] },
      workflow: { issuer: GITHUB, repository: 'acme/shop', workflow: 'w', ref: 'r', run_id: '1' },
    },
    token: { hash: 'e'.repeat(64), expires_at: '2999-01-01T00:00:00.000Z' },
    ...(attempt !== undefined && { attempt }),
  },
});
