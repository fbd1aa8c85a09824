import { z } from 'zod';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import { At, BuilderRole } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { READINESS_VERDICTS } from './events.ts';

export const ReadinessView = namedObject('Readiness', {
  by: BuilderRole,
  verdict: z.enum(READINESS_VERDICTS).register(documented, { id: 'ReadinessVerdict' }),
  blockers: z.array(z.string()),
  mismatches: z.array(z.string()).describe('Faults of a BLOCKED report.'),
  submitted_at: At,
});

export interface Readiness extends Readonly<z.output<typeof ReadinessView>> {
  readonly answers: readonly { readonly question_id: string; readonly answer: string }[];
  readonly seq: number;
}

export interface ReadinessState {
  /**
   * The readiness questions of each builder about its interfaces. Null if there is no manifest, and for a manifest in
   * an old log, which stores no questions.
   */
  readonly questions: Readonly<Record<Builder, readonly string[]>> | null;
  /** The latest report of each builder on the current manifest. */
  readonly reports: Readonly<Partial<Record<Builder, Readiness>>>;
  /**
   * For each builder, the number of the event with the other builder's report, once the builder has checked that
   * report.
   */
  readonly checked: Readonly<Partial<Record<Builder, number>>>;
  /**
   * Number of the event with the latest report that made both builders ready. Agents may read the answers of this
   * report and of all earlier reports.
   */
  readonly disclosedUpTo: number;
}

export const readinessSlice: Slice<ReadinessState> = {
  empty: { questions: null, reports: {}, checked: {}, disclosedUpTo: 0 },
  folds: {
    'contract.approved': (state, event) => ({
      ...state,
      questions: event.data.questions ?? null,
      reports: {},
      checked: {},
    }),
    'changes.requested': (state) => ({ ...state, questions: null, reports: {}, checked: {} }),
    'readiness.submitted': (state, event) => (isBuilder(event.actor) ? reported(state, event, event.actor) : state),
    'readiness.checked': (state, event) => ({
      ...state,
      checked: { ...state.checked, [event.actor]: event.data.report },
    }),
  },
};

type Submitted = Extract<SessionEvent, { kind: 'readiness.submitted' }>;

function reported(state: ReadinessState, { data, at, seq }: Submitted, by: Builder): ReadinessState {
  const { manifest_id: _, revision_id: __, ...report } = data;
  const reports = { ...state.reports, [by]: { by, ...report, submitted_at: at, seq } };
  const areReady = BUILDERS.every((builder) => reports[builder]?.verdict === 'READY_TO_CODE');
  return { ...state, reports, disclosedUpTo: areReady ? seq : state.disclosedUpTo };
}
