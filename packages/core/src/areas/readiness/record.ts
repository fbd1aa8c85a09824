import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { At, BuilderRole } from '../fields.ts';
import { READINESS_VERDICTS } from './events.ts';

export const ReadinessView = z.strictObject({
  by: BuilderRole,
  verdict: z.enum(READINESS_VERDICTS).register(documented, { id: 'ReadinessVerdict' }),
  blockers: z.array(z.string()),
  mismatches: z.array(z.string()).describe('Faults of a BLOCKED report.'),
  submitted_at: At,
});
documented.add(ReadinessView, { id: 'Readiness' });

export interface Readiness extends Readonly<z.output<typeof ReadinessView>> {
  readonly answers: readonly { readonly question_id: string; readonly answer: string }[];
  readonly seq: number;
}
