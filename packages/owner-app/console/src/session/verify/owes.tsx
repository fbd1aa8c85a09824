import { ageText } from '../../../../src/text/time.ts';
import type { Board } from '../../api/types.ts';
import { clock } from '../../state/clock.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Role, When } from '../../ui/text/shown.tsx';

interface OwesProps {
  readonly owes: Board['scenarios'][number]['owes'];
}

/** Shows what each builder must do before the scenario can pass, and since when. */
export function Owes({ owes }: OwesProps) {
  if (owes.length === 0) return null;
  return (
    <ul class="owes">
      {owes.map(({ role, what, since }) => (
        <li key={`${role} ${what}`}>
          <Role of={role} /> owes <LinkedText text={what} />, since <When at={since} />{' '}
          <span class="muted">({ageText(since, clock.value)})</span>
        </li>
      ))}
    </ul>
  );
}
