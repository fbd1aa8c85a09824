import { agoText } from '../../../src/text/time.ts';
import type { SessionView } from '../api/types.ts';
import { clock } from '../state/clock.ts';

interface BuildProgressProps {
  readonly of: SessionView['build_progress'];
}

/** How many tasks of the contract are done, while the build is in progress. Renders nothing at other times. */
export function BuildProgress({ of: progress }: BuildProgressProps) {
  if (!progress) return null;
  const { tasks, done, last_done_at: last } = progress;
  const ago = last === null ? '' : `, last ${agoText(last, clock.value)}`;
  return <span class="build-progress">{`build: ${done} of ${tasks} tasks done${ago}`}</span>;
}
