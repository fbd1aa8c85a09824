import type { RecordsAnswer, SessionView } from '../../api/types.ts';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Badge, Role } from '../../ui/text/shown.tsx';
import { nameIn } from '../interventions/names.ts';
import { RecordText } from '../record-text.tsx';
import { ProposedIn } from './turn-of-question.tsx';

type Context = NonNullable<RecordsAnswer['context']>;

interface RecordContextProps {
  readonly view: SessionView;
  readonly context: Context;
}

/**
 * Shows the moderator's advice on a record, and the summary of the turn that created the record. For a question, also
 * the decisions that this turn proposes and its objections.
 */
export function RecordContext({ view, context: { type, advice = [], events } }: RecordContextProps) {
  return (
    <>
      {advice.map(({ recommendation_id, recommendation, text }) => (
        <section key={recommendation_id} class="record-context">
          <h3>
            The moderator recommends <IdLink id={recommendation_id} />
          </h3>
          <p>
            <Badge tone="live">{recommendation}</Badge>
          </p>
          <RecordText view={view} type="recommendation" id={recommendation_id} text={text} />
        </section>
      ))}
      {events.flatMap(({ id, what, from, record, summary }) =>
        summary === undefined || what === 'answered'
          ? []
          : [
              <section key={id} class="record-context">
                <h3>
                  {`Turn ${Number(record.id) + 1} of `}
                  <Role of={from} name={nameIn(view, from)} />
                </h3>
                <Markdown text={summary} />
                {type === 'question' && <ProposedIn sessionId={view.session_id} messageId={id} />}
              </section>,
            ],
      )}
    </>
  );
}
