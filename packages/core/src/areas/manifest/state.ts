import { z } from 'zod';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent, Slice } from '../catalog.ts';
import { At, BuilderRole } from '../fields.ts';
import { type Manifest, READINESS_VERDICTS } from './events.ts';

export const AuthorizationsView = namedObject('Authorizations', {
  build_authorized: z.boolean(),
  deployment_authorized: z.boolean(),
  activation_authorized: z.boolean(),
});

type Stage = 'build' | 'deployment' | 'activation';

export interface ManifestState extends Readonly<z.output<typeof AuthorizationsView>> {
  readonly count: number;
  /** Null before the approval, and after the owner has requested changes. */
  readonly current: Manifest | null;
  /** By builder, the filenames of the artifacts of the current manifest that the builder has confirmed. */
  readonly receipts: Readonly<Record<Builder, readonly string[]>>;
  /** By stage, the number of the event with the note of the latest authorization. Null or absent if it had no note. */
  readonly noteSeqs?: Readonly<Partial<Record<Stage, number | null>>>;
}

const NO_RECEIPTS = { agent_a: [], agent_b: [] } as const;

const emptyManifest: ManifestState = {
  count: 0,
  current: null,
  receipts: NO_RECEIPTS,
  build_authorized: false,
  deployment_authorized: false,
  activation_authorized: false,
};

export const manifestSlice: Slice<ManifestState> = {
  empty: emptyManifest,
  folds: {
    'contract.approved': (state, event) => ({ ...emptyManifest, count: state.count + 1, current: event.data.manifest }),
    'receipt.confirmed': (state, event) =>
      isBuilder(event.actor) ? received(state, event.actor, event.data.filename) : state,
    'build.authorized': (state, event) => withNote({ ...state, build_authorized: true }, 'build', event),
    'deployment.authorized': (state, event) => withNote({ ...state, deployment_authorized: true }, 'deployment', event),
    'activation.authorized': (state, event) => withNote({ ...state, activation_authorized: true }, 'activation', event),
    'handshake.declared': (state, event) =>
      event.data.commit_changed ? { ...state, deployment_authorized: false, activation_authorized: false } : state,
    'changes.requested': (state) => ({ ...emptyManifest, count: state.count }),
  },
};

interface Authorized {
  readonly seq: number;
  readonly data: { readonly note?: string | undefined };
}

const withNote = (state: ManifestState, stage: Stage, { seq, data }: Authorized): ManifestState =>
  data.note === undefined && !state.noteSeqs
    ? state
    : { ...state, noteSeqs: { ...state.noteSeqs, [stage]: data.note === undefined ? null : seq } };

const received = (state: ManifestState, by: Builder, filename: string): ManifestState => ({
  ...state,
  receipts: { ...state.receipts, [by]: [...state.receipts[by], filename] },
});

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
