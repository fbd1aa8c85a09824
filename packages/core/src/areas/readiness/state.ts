import { z } from 'zod';
import { defineEvents } from '../../kernel/log/event-catalog.ts';
import { BUILDERS, type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    // Each agent answers for itself: the other one reads the answers when both are ready.
    withheld: ['answers'],
    data: z.strictObject({
      manifest_id: z.string(),
      revision_id: z.string(),
      verdict: z.enum(READINESS_VERDICTS),
      blockers: z.array(z.string()),
      answers: z.array(z.strictObject({ question_id: z.string(), answer: z.string() })),
      /** What would have refused READY_TO_CODE; a BLOCKED report may hold some. */
      mismatches: z.array(z.string()),
    }),
  },
});

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
  /** Each builder's latest report on the manifest in force. */
  readonly reports: Readonly<Partial<Record<Builder, Readiness>>>;
  /** The last event at which both builders were ready; the agents read the answers of every report up to it. */
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
