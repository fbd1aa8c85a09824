import type { Message } from '../../../../src/transcript/message.ts';
import type { Board } from '../../api/types.ts';

export type Attempt = Board['scenarios'][number]['attempts'][number];

/** The content of one item of evidence. */
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
 * scenarios does not contain the claims, summaries and assertions. A report of a workflow can be from before the attempt: the board
 * lists it by its id.
 */
export function evidenceIn(
  events: readonly Message[],
  scenarioId: string,
  { attempt, evidence }: Pick<Attempt, 'attempt' | 'evidence'>,
): SeenEvidence[] {
  const ids = new Set(evidence.map(({ message_id }) => message_id));
  return events.flatMap(({ id, kind, body, from, at }): SeenEvidence[] => {
    if (kind === 'evidence.submitted' && body.scenario_id === scenarioId && body.attempt === attempt)
      return [{ ...body, by: from, submitted_at: at }];
    const isReport = kind === 'evidence.reported' && body.scenario_id === scenarioId;
    return isReport && (body.attempt === attempt || ids.has(id)) ? [{ ...body, submitted_at: at }] : [];
  });
}

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
