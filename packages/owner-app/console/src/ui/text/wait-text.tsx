import { namedText } from '../../../../src/text/agent.ts';
import { toSession } from '../../state/route.ts';
import { Link } from './link.tsx';
import { When } from './shown.tsx';

interface WaitTextProps {
  readonly sessionId: string;
  readonly text: string;
  /** Returns the display name of a role in the session of the task. */
  readonly nameOf: (role: string) => string;
}

/** The parts of the service's text that are not shown as they are: times, and requests that no revision names. */
const SPECIAL = /(\d{4}-\d\d-\d\dT[\d:.]+Z|your request #\d+)/;

/**
 * Shows why a task waits. Roles in the service's text are replaced by names of agents, and times are formatted. A request
 * that no reason of a revision names is a link to its words above the buttons of the approval.
 */
export function WaitText({ sessionId, text, nameOf }: WaitTextProps) {
  return (
    <span class="said">
      {text
        .split(SPECIAL)
        .map((piece, index) =>
          index % 2 === 0 ? namedText(piece, nameOf) : <Special key={index} {...{ sessionId, piece }} />,
        )}
    </span>
  );
}

function Special({ sessionId, piece }: { readonly sessionId: string; readonly piece: string }) {
  return piece.includes('#') ? (
    <Link to={`${toSession(sessionId, 'contract')}#section-requests`}>{piece}</Link>
  ) : (
    <When at={piece} />
  );
}
