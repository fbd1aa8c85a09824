import type { LoggedEvent } from '../../kernel/log/event.ts';
import { lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import type { Revision } from '../contract/record.ts';
import { decisionEvents } from '../decisions/events.ts';
import type { Decision } from '../decisions/record.ts';
import type { SessionState } from '../state.ts';

/** A decision that a revision cites. The position is undefined if neither the state nor the loaded events have it. */
export interface CitedDecision {
  readonly decision_id: string;
  readonly topic: string;
  readonly position: string | undefined;
}

/** The decisions that a revision cites, by the key of their topic. */
export type CitedDecisions = ReadonlyMap<string, CitedDecision>;

const proposedAt = ({ text_seqs: [seq = 0] }: Decision): number => seq;

/**
 * Numbers of the events with the positions of closed decisions that the revisions can cite: of each topic, the newest
 * decision that was proposed before the revision.
 */
export function citedSeqs({ decisions }: SessionState, revisions: readonly (Revision | null)[]): number[] {
  const all = valuesOf(decisions.all);
  const newestAt = (seq: number): Decision[] => [
    ...new Map(all.filter((one) => proposedAt(one) < seq).map((one) => [nameKey(one.topic), one])).values(),
  ];
  const seqs = revisions.flatMap((revision) =>
    newestAt(revision?.seq ?? 0).flatMap((one) => (one.position === null ? [proposedAt(one)] : [])),
  );
  return [...new Set(seqs)];
}

/**
 * The decisions that a revision cites. Empty if the revision is null.
 * @param loaded the events of {@link citedSeqs}
 */
export function citedDecisions(
  { decisions }: SessionState,
  revision: Revision | null,
  document: ReadDocument,
  loaded: readonly LoggedEvent[],
): CitedDecisions {
  const contract = revision && parseOrNull(document(revision.content_hash));
  const ids = isRecord(contract) && Array.isArray(contract.decisions) ? contract.decisions : [];
  return new Map(
    ids.flatMap((id: unknown) => {
      const decision = typeof id === 'string' ? lookUp(decisions.all, id) : undefined;
      if (!decision) return [];
      const { decision_id, topic, position } = decision;
      return [[nameKey(topic), { decision_id, topic, position: position ?? storedPosition(decision, loaded) }]];
    }),
  );
}

function storedPosition(decision: Decision, loaded: readonly LoggedEvent[]): string | undefined {
  const event = loaded.find(({ seq }) => seq === proposedAt(decision));
  return decisionEvents['decision.proposed'].data.safeParse(event?.data).data?.position;
}
