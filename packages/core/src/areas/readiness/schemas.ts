import { z } from 'zod';
import { BUILDERS } from '../../kernel/roles.ts';
import { At, BuilderRole } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { READINESS_VERDICTS } from './state.ts';

export const ReadinessView = z.strictObject({
  by: BuilderRole,
  verdict: z.enum(READINESS_VERDICTS),
  blockers: z.array(z.string()),
  mismatches: z.array(z.string()).describe('What a BLOCKED report leaves open: fields, receipts, answers.'),
  submitted_at: At,
});

/** Each builder's latest report on the manifest in force. */
export const viewReadiness = ({ readiness }: SessionState): z.output<typeof ReadinessView>[] =>
  BUILDERS.flatMap((builder) => {
    const report = readiness[builder];
    if (!report) return [];
    const { by, verdict, blockers, mismatches, at } = report;
    return [{ by, verdict, blockers: [...blockers], mismatches: [...mismatches], submitted_at: at }];
  });
