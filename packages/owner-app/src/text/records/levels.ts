import type { Answer } from '@parley/core/client';

type Level = NonNullable<Answer<'board'>['certification']['level']>;

/** What evidence of a level is, in a few words. */
export const LEVEL_TEXTS: Readonly<Record<Level, string>> = {
  claimed: 'claimed: written by the agents',
  recorded: 'recorded: a run that the agent sent',
  ci: 'ci: a run that a workflow sent',
};

/** The level of an item of evidence with this run. An item without a run is what an agent has written. */
export function levelOfRun(run: { readonly not_recorded?: unknown; readonly workflow?: unknown } | undefined): Level {
  if (!run || run.not_recorded !== undefined) return 'claimed';
  return run.workflow === undefined ? 'recorded' : 'ci';
}
