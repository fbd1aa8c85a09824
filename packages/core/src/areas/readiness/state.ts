import { z } from 'zod';
import { defineEvents } from '../../kernel/event-catalog.ts';
import { type Builder, isBuilder } from '../../kernel/roles.ts';
import type { SessionEvent } from '../catalog.ts';

export const READINESS_VERDICTS = ['READY_TO_CODE', 'BLOCKED'] as const;

export const readinessEvents = defineEvents({
  'readiness.submitted': {
    v: 1,
    seenBy: 'everyone',
    message: true,
    // One agent's answers are no help to the other.
    omit: ['answers'],
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
  readonly mismatches: readonly string[];
  readonly at: string;
}

/** Each builder's latest report on the manifest in force. */
export type ReadinessState = Readonly<Partial<Record<Builder, Readiness>>>;

export const emptyReadiness: ReadinessState = {};

export function evolveReadiness(state: ReadinessState, event: SessionEvent): ReadinessState {
  if (event.kind === 'contract.approved' || event.kind === 'changes.requested') return emptyReadiness;
  if (event.kind !== 'readiness.submitted' || !isBuilder(event.actor)) return state;
  const { verdict, blockers, mismatches } = event.data;
  return { ...state, [event.actor]: { by: event.actor, verdict, blockers, mismatches, at: event.at } };
}
