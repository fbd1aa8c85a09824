import type { SessionView } from '../../api/types.ts';
import { LinkedText } from '../../ui/text/linked-text.tsx';
import { Badge } from '../../ui/text/shown.tsx';

/** Shows what the owner wanted decided and tested, and what of it is open. Without an agenda, shows nothing. */
export function AgendaPanel({ view: { agenda, agenda_open } }: { readonly view: SessionView }) {
  if (!agenda) return null;
  const { topics = [], scenarios = [] } = agenda_open ?? {};
  const open = topics.length + scenarios.length;
  return (
    <section class="card" aria-labelledby="agenda-head">
      <h2 id="agenda-head">
        Agenda <Badge tone={open > 0 ? 'warn' : 'good'}>{open > 0 ? `${open} open` : 'settled'}</Badge>
      </h2>
      <p class="muted">What you wanted decided and tested. It binds nobody.</p>
      <ul class="issues">
        {agenda.topics.map(({ topic, question }) => (
          <li key={topic}>
            <b>
              <LinkedText text={topic} />
            </b>{' '}
            {topics.includes(topic) ? <Badge tone="warn">not decided</Badge> : <Badge tone="good">decided</Badge>}
            <p class="muted">
              <LinkedText text={question} />
            </p>
          </li>
        ))}
        {agenda.scenarios.map(({ id, title, given, when, then }) => (
          <li key={id}>
            <b>
              <LinkedText text={`${id} ${title}`} />
            </b>{' '}
            {scenarios.includes(id) ? (
              <Badge tone="warn">not in the contract</Badge>
            ) : (
              <Badge tone="good">in the contract</Badge>
            )}
            <p class="muted">
              <LinkedText text={`Given ${given}. When ${when}. Then ${then}`} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
