import { z } from 'zod';
import type { BoundedLists } from '../../kernel/bounded-lists.ts';
import { documented } from '../../kernel/documented.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { At, BuilderRole } from '../fields.ts';
import type { SessionState } from '../state.ts';
import { READINESS_VERDICTS } from './state.ts';

export const ReadinessView = z.strictObject({
  by: BuilderRole,
  verdict: z.enum(READINESS_VERDICTS).register(documented, { id: 'ReadinessVerdict' }),
  blockers: z.array(z.string()),
  mismatches: z.array(z.string()).describe('What a BLOCKED report leaves open: fields, receipts, answers.'),
  submitted_at: At,
});
documented.add(ReadinessView, { id: 'Readiness' });

/** Each builder's latest report on the manifest in force; its blockers are lists of the answer. */
export function listReadiness(
  lists: BoundedLists,
  { readiness }: SessionState,
): () => z.output<typeof ReadinessView>[] {
  const views = BUILDERS.flatMap((builder) => {
    const report = readiness[builder];
    if (!report) return [];
    const { by, verdict, mismatches, at } = report;
    const blockers = lists.list({
      records: report.blockers,
      view: (blocker) => blocker,
      how: () => 'The transcript has them all.',
    });
    return [() => ({ by, verdict, blockers: blockers(), mismatches: [...mismatches], submitted_at: at })];
  });
  return () => views.map((view) => view());
}
