import { namedText } from '../../../../src/text/agent.ts';
import { When } from './shown.tsx';

interface WaitTextProps {
  readonly text: string;
  /** Returns the name of a role in its session. */
  readonly nameOf: (role: string) => string;
}

const TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/**
 * Why a task waits, in the words of the service, with the names of agents instead of roles, and with times as the page
 * shows them.
 */
export function WaitText({ text, nameOf }: WaitTextProps) {
  return (
    <span class="said">
      {text
        .split(TIME)
        .map((piece, index) => (index % 2 === 0 ? namedText(piece, nameOf) : <When key={index} at={piece} />))}
    </span>
  );
}
