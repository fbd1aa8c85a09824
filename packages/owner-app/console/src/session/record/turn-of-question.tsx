import { createIdIndex } from '../../../../src/transcript/id-index.ts';
import { membersOf, readMessage, recordsIn, textsIn } from '../../../../src/transcript/message.ts';
import { turnParts } from '../../../../src/transcript/turn-parts.ts';
import type { RecordsAnswer, Transcript } from '../../api/types.ts';
import { useRead } from '../../ui/requests/use-read.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Parts } from '../transcript/parts.tsx';
import '../../styles/transcript.css';

interface TurnOfQuestionProps {
  readonly sessionId: string;
  readonly questionId: string;
}

/** Shows the turn that asked a question: its summary, the decisions that it proposes, and its objections. */
export function TurnOfQuestion({ sessionId, questionId }: TurnOfQuestionProps) {
  const path = `/sessions/${sessionId}/records?type=question&id=${questionId}`;
  const { value } = useRead<Pick<RecordsAnswer, 'context'>>(path, 0);
  const asked = value?.context?.events.find(({ what }) => what === 'asked');
  if (!value) return <p class="waiting">Loading…</p>;
  if (asked?.summary === undefined) return <p class="muted">The question was asked outside a turn.</p>;
  return (
    <>
      <Markdown text={asked.summary} />
      <ProposedIn sessionId={sessionId} messageId={asked.id} />
    </>
  );
}

interface ProposedInProps {
  readonly sessionId: string;
  /** The number of the message that contains the turn. */
  readonly messageId: number;
}

/** Shows the decisions that a turn proposes, and its objections. Shows nothing until the turn is loaded. */
export function ProposedIn({ sessionId, messageId }: ProposedInProps) {
  const path = `/sessions/${sessionId}/transcript?after=${messageId - 1}`;
  const { value } = useRead<Transcript>(path, 0);
  const found = value?.messages.find(({ id }) => id === messageId);
  if (!found) return null;
  const message = readMessage(membersOf(found));
  const ids = createIdIndex();
  ids.note(message);
  const parts = turnParts(
    {
      disagreements: textsIn(message.body, 'disagreements'),
      proposed_decisions: recordsIn(message.body, 'proposed_decisions'),
      concerns: textsIn(message.body, 'concerns'),
    },
    ids,
  );
  return parts.length === 0 ? null : <Parts parts={parts} words={[]} />;
}
