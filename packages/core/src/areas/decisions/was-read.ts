import { itemAt, lowerBound, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import type { SessionState } from '../state.ts';
import type { Decision } from './record.ts';

interface Reader {
  readonly by: Role;
  /** Number of the latest event that was shown to the reader. Undefined if it is not known. */
  readonly shownSeq: number | undefined;
  readonly inTurn: boolean;
}

/**
 * Tells whether a builder can have read a position of the other builder: if it was shown the proposal, or if it has
 * acted on the turn that contained the proposal. True as well if it is not known what the builder was shown.
 */
export const wasReadBy =
  (state: SessionState, { by, shownSeq, inTurn }: Reader) =>
  ({ text_seqs: [proposed = 0] }: Decision): boolean =>
    shownSeq === undefined || shownSeq >= proposed || hasActedOn(state, by, proposed, inTurn);

/** Whether the builder replies to the other's latest turn, which has the proposal: in its own turn, or to a part of it. */
function hasActedOn(state: SessionState, by: Role, proposed: number, inTurn: boolean): boolean {
  if (!isBuilder(by)) return false;
  const { turns, transcript, questions, decisions } = state;
  const turn = turns.lastOf[otherBuilder(by)];
  const message = itemAt(transcript.messages, lowerBound(transcript.messages, ({ seq }) => seq > proposed) - 1);
  if (!turn || message?.seq !== turn.seq) return false;
  return (
    inTurn ||
    valuesOf(questions.all).some(({ from, status, seq }) => from !== by && status === 'ANSWERED' && seq > turn.seq) ||
    valuesOf(decisions.all).some(
      ({ proposed_by, accepted_by, text_seqs: [seq = 0] }) =>
        proposed_by !== by && accepted_by.includes(by) && seq > turn.seq,
    )
  );
}
