import { elapsedText } from '../../../../src/text/time.ts';
import { clock } from '../../state/clock.ts';

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

const EVENTS: Readonly<Record<string, string>> = { START: 'Created ', RESUME: 'Paused ' };

/**
 * Shows since when a task waits. For a draft, it says that the session was created then, and for a paused session, that
 * it was paused then.
 */
export const WaitsSince = ({
  wait: { kind, since },
}: {
  readonly wait: { readonly kind: string; readonly since: string };
}) => (
  <span>
    {EVENTS[kind]}
    <Ago at={since} />
  </span>
);

/**
 * Shows how long ago a time was. The time itself is in the tooltip. The word `ago` is a separate element, because
 * the table of sessions hides the word.
 */
export function Ago({ at }: { readonly at: string }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={FULL.format(moment)}>
      {elapsedText(at, clock.value)}
      <span class="ago"> ago</span>
    </time>
  );
}
