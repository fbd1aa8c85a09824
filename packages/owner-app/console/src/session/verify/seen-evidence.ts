import type { Message } from '../../../../src/transcript/message.ts';
import type { Board } from '../../api/types.ts';

export type Attempt = Board['scenarios'][number]['attempts'][number];

/** The content of one `evidence.submitted` event. */
export interface SeenEvidence {
  readonly by: string;
  readonly kind: string;
  readonly claim: string;
  readonly summary: string;
  readonly request_id: string;
  readonly assertions?: readonly Assertion[] | undefined;
  readonly run?: Run | undefined;
  readonly submitted_at: string;
}

type Run = NonNullable<Attempt['evidence'][number]['run']>;

export interface Assertion {
  readonly name: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly passed: boolean;
}

/**
 * Returns the evidence of an attempt. The evidence is read from the session's events, because the board of all
 * scenarios does not contain the claims, summaries and assertions.
 */
export const evidenceIn = (events: readonly Message[], scenarioId: string, attempt: number): SeenEvidence[] =>
  events.flatMap(({ kind, body, from, at }) =>
    kind === 'evidence.submitted' && body.scenario_id === scenarioId && body.attempt === attempt
      ? [{ ...body, by: from, submitted_at: at }]
      : [],
  );

/** Returns the evidence of an attempt that an answer of the service contains in full. */
export const seenIn = ({ evidence }: Pick<Attempt, 'evidence'>): SeenEvidence[] =>
  evidence.map(({ by, kind, claim = '', summary = '', request_id, assertions, run, submitted_at = '' }) => ({
    by,
    kind,
    claim,
    summary,
    request_id,
    assertions,
    run,
    submitted_at,
  }));
