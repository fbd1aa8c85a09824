import { type DraftPlace, draftAt, keepDraft, sendDraft } from '../../api/drafts.ts';
import type { SessionView } from '../../api/types.ts';
import type { LiveSession } from '../../state/live-session.ts';
import { Field } from '../../ui/controls/field.tsx';
import { LeftDraft } from '../../ui/controls/left-draft.tsx';
import { WriteButton } from '../../ui/controls/write-button.tsx';
import { Failure } from '../../ui/requests/failure.tsx';
import { useAction } from '../../ui/requests/use-action.ts';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { nameIn } from './names.ts';
import { type Question, sortQuestions } from './rules.ts';

interface PanelProps {
  readonly live: LiveSession;
  readonly view: SessionView;
}

/**
 * The questions of agents. A question to the owner has a field for the answer. A question between agents is only shown.
 */
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
      {answered.map((question) => (
        <LeftDraft key={question.question_id} place={answerTo(view, question)}>
          <code>{question.question_id}</code> was answered meanwhile, in another tab, by command or by another person:{' '}
          <SafeText text={question.answer ?? ''} />
        </LeftDraft>
      ))}
      {betweenAgents.length > 0 && (
        <details>
          <summary>{`Open questions between the agents: ${betweenAgents.length}`}</summary>
          <QuestionList view={view} questions={betweenAgents} />
        </details>
      )}
      {answered.length > 0 && (
        <details>
          <summary>{`Answered questions: ${answered.length}`}</summary>
          <QuestionList view={view} questions={answered} />
        </details>
      )}
    </section>
  );
}

/** Returns the place of the draft answer to this question. */
const answerTo = ({ session_id }: SessionView, { question_id }: Question): DraftPlace => ({
  sessionId: session_id,
  record: question_id,
  form: 'answer',
});

interface OwnersQuestionProps extends PanelProps {
  readonly question: Question;
  readonly canAnswer: boolean;
}

/** A question to the owner. Until the session ends, it has a field for the answer. */
export function OwnersQuestion({ live, view, question, canAnswer }: OwnersQuestionProps) {
  const action = useAction();
  const { question_id } = question;
  const place = answerTo(view, question);
  const answer = draftAt(place);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    await action.run(() => sendDraft(place, () => live.act('answer-question', { question_id, text: answer })));
  };
  return (
    <div class="record">
      <QuestionHead view={view} question={question} />
      <p>
        <SafeText text={question.text} />
      </p>
      {question.blocking && canAnswer && (
        <p class="muted">No revision of the contract can be certified before you answer.</p>
      )}
      {canAnswer && (
        <form onSubmit={(event) => void send(event)}>
          <Field
            label={`Your answer to ${question_id}`}
            hint="Both agents can read your answer. You cannot change it later."
            rows={3}
            required
            value={answer}
            onInput={(value) => keepDraft(place, value)}
          />
          <Failure error={action.error} />
          <WriteButton type="submit" class="primary" disabled={action.isBusy || answer.trim() === ''}>
            Answer
          </WriteButton>
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
        <QuestionItem key={question.question_id} view={view} question={question} />
      ))}
      {questions.length > SHOWN && <li class="muted">{`and ${questions.length - SHOWN} more in the transcript`}</li>}
    </ul>
  );
}

export function QuestionItem({ view, question }: { readonly view: SessionView; readonly question: Question }) {
  return (
    <li class="record">
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
  );
}
