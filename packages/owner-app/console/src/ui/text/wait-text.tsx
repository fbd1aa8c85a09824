import { namedText } from '../../../../src/text/agent.ts';
import { When } from './shown.tsx';

interface WaitTextProps {
  readonly text: string;
  /** Returns the display name of a role in the session of the task. */
  readonly nameOf: (role: string) => string;
}

const TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** Shows why a task waits. Roles in the service's text are replaced by names of agents, and times are formatted. */
export const WaitText = ({ text, nameOf }: WaitTextProps) => (
  <span class="said">
    {text
      .split(TIME)
      .map((piece, index) => (index % 2 === 0 ? namedText(piece, nameOf) : <When at={piece} key={index} />))}
  </span>
);
