import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';
import type { READINESS_VERDICTS } from './events.ts';

interface Readiness {
  readonly by: Builder;
  readonly verdict: (typeof READINESS_VERDICTS)[number];
  readonly blockers: readonly string[];
  readonly answers: readonly { readonly question_id: string; readonly answer: string }[];
  readonly mismatches: readonly string[];
  readonly at: string;
  readonly seq: number;
}

export interface ReadinessState {
  /** Each builder's latest report on the current manifest. */
  readonly reports: Readonly<Partial<Record<Builder, Readiness>>>;
  /** Number of the last event at which both builders were ready; the agents can read answers of reports up to it. */
  readonly disclosedUpTo: number;
}

export const emptyReadiness: ReadinessState = { reports: {}, disclosedUpTo: 0 };

export function evolveReadiness(state: ReadinessState, event: SessionEvent): ReadinessState {
  if (event.kind === 'contract.approved' || event.kind === 'changes.requested') return { ...state, reports: {} };
  if (event.kind !== 'readiness.submitted' || !isBuilder(event.actor)) return state;
  const { verdict, blockers, answers, mismatches } = event.data;
  const { actor: by, at, seq } = event;
  const reports = { ...state.reports, [by]: { by, verdict, blockers, answers, mismatches, at, seq } };
  const areReady = BUILDERS.every((builder) => reports[builder]?.verdict === 'READY_TO_CODE');
  return { reports, disclosedUpTo: areReady ? seq : state.disclosedUpTo };
}
