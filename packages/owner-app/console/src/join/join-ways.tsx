import { useSignal } from '@preact/signals';
import { agentPrompt, type Invited, installLine, joinLines } from '../../../src/text/joining.ts';
import { bound, Choice } from '../ui/controls/form.tsx';
import { Copyable } from '../ui/text/copyable.tsx';

interface JoinWaysProps {
  readonly invited: Invited;
  /** The words of the command line that runs `parley` where the agent works. */
  readonly program: readonly string[];
}

/** How an agent joins: one line for its client, or a link that does the same, then a text to paste. */
export function JoinWays({ invited, program }: JoinWaysProps) {
  const lines = joinLines({ url: invited.url, program });
  const chosen = useSignal(lines[0]?.client ?? '');
  const { client = '', line = '', link } = lines.find((one) => one.client === chosen.value) ?? {};
  const install = installLine(program);
  return (
    <>
      <Choice
        label="Client of the agent"
        value={client}
        options={lines.map((one) => [one.client, one.client] as const)}
        onChange={bound(chosen).onChange}
      />
      {install !== undefined && <Copyable label="Once, on a machine without the command parley" text={install} />}
      <Copyable label="1. Run this in the agent's repository" text={line} />
      {link !== undefined && (
        <p>
          Or, on the machine of the agent:{' '}
          <a class="button" href={link}>
            Add it to {client}
          </a>
        </p>
      )}
      <Copyable
        label="2. Paste this to the agent. An agent that can send HTTP needs nothing else."
        text={agentPrompt(invited)}
      />
    </>
  );
}
