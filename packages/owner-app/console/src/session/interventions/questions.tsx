import { useSignal } from '@preact/signals';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Badge, Role, SafeText, When } from '../../ui/shown.tsx';
import { useAction } from '../../ui/use-action.ts';
import { nameIn } from './names.ts';
import { type Question, sortQuestions } from './rules.ts';

interface PanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/** The questions of agents. Questions to the owner have a field for the answer; questions between agents are only shown. */
export function QuestionsPanel({ live, view }: PanelProps) {
  const { forOwner, betweenAgents, answered } = sortQuestions(view.questions);
  if (view.questions.length === 0) return null;
  const isOver = view.state.status === 'ENDED';
  return (
    <section class={forOwner.length > 0 && !isOver ? 'card waits' : 'card'} aria-labelledby="questions-head">
      <h2 id="questions-head">
        Questions <span class="muted">{forOwner.length > 0 ? `${forOwner.length} for you` : 'none for you'}</span>
      </h2>
      {forOwner.map((question) => (
        <OwnersQuestion key={question.question_id} live={live} view={view} question={question} canAnswer={!isOver} />
      ))}
      {betweenAgents.length > 0 && (
        <details>
          <summary>{`${betweenAgents.length} open between the agents`}</summary>
          <QuestionList view={view} questions={betweenAgents} />
        </details>
      )}
      {answered.length > 0 && (
        <details>
          <summary>{`${answered.length} answered`}</summary>
          <QuestionList view={view} questions={answered} />
        </details>
      )}
    </section>
  );
}

interface OwnersQuestionProps extends PanelProps {
  readonly question: Question;
  readonly canAnswer: boolean;
}

function OwnersQuestion({ live, view, question, canAnswer }: OwnersQuestionProps) {
  const answer = useSignal('');
  const action = useAction();
  const { question_id } = question;
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await action.run(() => live.act('answer-question', { question_id, text: answer.value }));
  };
  return (
    <div class="record">
      <QuestionHead view={view} question={question} />
      <p>
        <SafeText text={question.text} />
      </p>
      {canAnswer && (
        <form onSubmit={(event) => void send(event)}>
          <Field
            label={`Your answer to ${question_id}`}
            hint="Both agents read it. It cannot be changed later."
            rows={3}
            required
            value={answer.value}
            onInput={(value) => {
              answer.value = value;
            }}
          />
          <Failure error={action.error} />
          <button type="submit" class="primary" disabled={action.isBusy || answer.value.trim() === ''}>
            Answer
          </button>
        </form>
      )}
    </div>
  );
}

function QuestionHead({ view, question }: { readonly view: SessionView; readonly question: Question }) {
  const { question_id, from, to, blocking, asked_at, status } = question;
  return (
    <p class="record-head">
      <code>{question_id}</code>
      <span>
        <Role of={from} name={nameIn(view, from)} />
        {' asks '}
        {to === 'owner' ? 'you' : <Role of={to} name={nameIn(view, to)} />}
      </span>
      {blocking && status === 'OPEN' && <Badge tone="warn">blocks</Badge>}
      <span class="muted">
        <When at={asked_at} />
      </span>
    </p>
  );
}

const SHOWN = 50;

function QuestionList({ view, questions }: { readonly view: SessionView; readonly questions: readonly Question[] }) {
  return (
    <ul class="plain">
      {questions.slice(0, SHOWN).map((question) => (
        <li key={question.question_id} class="record">
          <QuestionHead view={view} question={question} />
          <p>
            <SafeText text={question.text} />
          </p>
          {question.answer !== null && (
            <p class="reply">
              <SafeText text={question.answer} />
            </p>
          )}
        </li>
      ))}
      {questions.length > SHOWN && <li class="muted">{`and ${questions.length - SHOWN} more in the transcript`}</li>}
    </ul>
  );
}
