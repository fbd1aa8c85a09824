import { type Part, turnParts } from '@parley/core/words';
import { shortened } from '../../../../src/text/visible.ts';
import { createIdIndex } from '../../../../src/transcript/message.ts';
import { Pending, useCall, useRecord } from '../../ui/requests.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Parts } from '../transcript/message.tsx';
import '../../styles/transcript.css';

interface TurnOfQuestionProps {
  readonly sessionId: string;
  readonly questionId: string;
}

/** Maximum number of characters of a proposed decision that is shown unfolded. */
const SHORT_CHARS = 300;

/** Shows the decisions that the turn of a question proposes, shortened, its objections and, folded, the rest of it. */
export function TurnOfQuestion({ sessionId, questionId }: TurnOfQuestionProps) {
  const { context, isLoaded } = useRecord(sessionId, 'question', questionId);
  const asked = context?.events.find(({ what }) => what === 'asked');
  if (!isLoaded) return <Pending />;
  if (asked?.summary === undefined) return <p class="muted">The question was asked outside a turn.</p>;
  return <Turn sessionId={sessionId} questionId={questionId} messageId={asked.id} summary={asked.summary} />;
}

interface TurnProps extends TurnOfQuestionProps, ProposedInProps {
  readonly summary: string;
}

function Turn({ sessionId, questionId, messageId, summary }: TurnProps) {
  const parts = usePartsOf({ sessionId, messageId });
  const proposals = parts.filter(isProposal);
  const shown = [...proposals.map(shortPart), ...parts.filter((part) => !isProposal(part))];
  const rest = proposals.flatMap(restOf);
  return (
    <>
      {shown.length > 0 && <Parts parts={shown} words={[]} />}
      <details>
        <summary>{`The turn that asks ${questionId}`}</summary>
        <Markdown text={summary} />
        {rest.length > 0 && <Parts parts={rest} words={[]} />}
      </details>
    </>
  );
}

/** A proposed decision without its evidence, and with the beginning of its text. */
const shortPart = ({ label, tone, title, text = '' }: Part): Part => ({
  label,
  ...(tone && { tone }),
  ...(title && { title }),
  text: shortened(text, SHORT_CHARS),
});

/** What `shortPart` leaves out: the evidence, and the whole text if it is shortened. */
function restOf(part: Part): Part[] {
  if ((part.text ?? '').length > SHORT_CHARS) return [part];
  const { text: _shown, ...rest } = part;
  return rest.evidence?.length ? [rest] : [];
}

const isProposal = ({ label }: Part): boolean => label === 'proposes';

interface ProposedInProps {
  readonly sessionId: string;
  /** The number of the message that contains the turn. */
  readonly messageId: number;
}

/** Shows the decisions that a turn proposes, and its objections. Shows nothing until the turn is loaded. */
export function ProposedIn(props: ProposedInProps) {
  const parts = usePartsOf(props);
  return parts.length === 0 ? null : <Parts parts={parts} words={[]} />;
}

/** Returns the decisions that a turn proposes, and its objections. Empty until the turn is loaded. */
function usePartsOf({ sessionId, messageId }: ProposedInProps): readonly Part[] {
  const { value } = useCall('transcript', { session_id: sessionId, after: messageId - 1 }, 0);
  const message = value?.messages.find(({ id }) => id === messageId);
  if (message?.kind !== 'turn.posted') return [];
  const { disagreements, proposed_decisions, concerns } = message.body;
  return turnParts({ disagreements, proposed_decisions, concerns }, createIdIndex());
}
