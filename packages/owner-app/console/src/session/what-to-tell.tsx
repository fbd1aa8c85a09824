import { canCall } from '../../../src/text/agent.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';
import { lazy } from '../ui/requests/lazy.tsx';

const TellAgent = lazy(async () => (await import('./tell-agent.tsx')).TellAgent);

/** The text to paste to a connected agent so that it continues. Renders nothing for an agent that must be invited first. */
export function WhatToTell({ agent }: { readonly agent: SessionView['agents'][number] | undefined }) {
  if (!agent || !canCall(agent, clock.value)) return null;
  return (
    <details>
      <summary>What to tell the agent</summary>
      <TellAgent />
    </details>
  );
}
