import { changed } from '../contract/sample-contract.ts';
import type { Call } from '../story.ts';
import { A_COMMIT, type Builder } from './builds.ts';

export const RUN = { by: 'agent_a' as const, command: 'npm run smoke', tests: ['smoke > answers'] };
export const GATES = changed({}).gates.map((gate) =>
  gate.stage === 'build' ? gate : { ...gate, run: gate.stage === 'deployment' ? RUN : { by: 'agent_b' as const } },
);
export const SHOWN = [{ suite: 'smoke', name: 'answers', status: 'passed' }];
export const report = (tests: readonly object[] = SHOWN, counts: object = {}) => ({
  ...{ format: 'junit', sha256: 'd'.repeat(64), size: 900, passed: tests.length, failed: 0, skipped: 0, tests },
  ...counts,
});
const run = (changes: object = {}) => ({
  ...{ argv: ['npm', 'run', 'smoke'], exit_code: 0, duration_ms: 10, commit: A_COMMIT, dirty: false },
  ...{ report: report(), ...changes },
});
export const gateRun = (changes: object = {}, by: Builder = 'agent_a', gate_id = 'gate-deploy'): Call => [
  by,
  'verify_gate',
  { gate_id, run: run(changes) },
];
