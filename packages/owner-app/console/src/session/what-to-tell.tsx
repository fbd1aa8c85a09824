import { canCall } from '../../../src/text/agent.ts';
import { TELL_AGENT } from '../../../src/text/tell-agent.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { Copyable } from '../ui/text/copyable.tsx';

/** The text to paste to a connected agent so that it continues. Renders nothing for an agent that must be invited first. */
export function WhatToTell({ agent }: { readonly agent: SessionView['agents'][number] | undefined }) {
  if (!agent || !canCall(agent, clock.value)) return null;
  return (
    <details>
      <summary>What to tell the agent</summary>
      <Copyable label="Paste this text to the agent" text={TELL_AGENT} />
    </details>
  );
}
