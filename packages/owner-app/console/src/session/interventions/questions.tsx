import type { SessionView } from '../../api/answers.ts';
import { answerPlace } from '../../api/drafts.ts';
import type { SessionProps } from '../../state/live-session.ts';
import { openedId } from '../../state/route.ts';
import { Card } from '../../ui/card.tsx';
import { LeftDraft } from '../../ui/text/copyable.tsx';
import { IdLink } from '../../ui/text/linked-text.tsx';
import { Badge, Role, SafeText, When } from '../../ui/text/shown.tsx';
import { AnswerForm } from '../answer-forms.tsx';
import { nameIn } from '../record-text.tsx';
import { type Question, sortQuestions } from '../records.ts';

/**
 * The questions of agents. A question to the owner has a field for the answer. A question between agents is only shown.
 */
export function QuestionsPanel({ live, view }: SessionProps) {
  const { forOwner, betweenAgents, answered } = sortQuestions(view.questions);
  if (view.questions.length === 0) return null;
  const isOver = view.state.status === 'ENDED';
  return (
    <Card
      class={forOwner.length > 0 && !isOver ? 'card waits' : 'card'}
      head="questions-head"
      title="Questions"
      note={<span class="muted">{forOwner.length > 0 ? `${forOwner.length} for you` : 'none for you'}</span>}
    >
      {forOwner.map((question) =>
        question.question_id === openedId.value ? (
          <p key={question.question_id} class="muted">{`${question.question_id} is shown in the side panel.`}</p>
        ) : (
          <OwnersQuestion key={question.question_id} live={live} view={view} question={question} canAnswer={!isOver} />
        ),
      )}
      {answered.map((question) => (
        <LeftDraft key={question.question_id} place={answerPlace(view.session_id, question.question_id)}>
          <code>{question.question_id}</code> was answered meanwhile, in another tab, on the command line or by another
          person: <SafeText text={question.answer ?? ''} />
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
    </Card>
  );
}

interface OwnersQuestionProps extends SessionProps {
  readonly question: Question;
  readonly canAnswer: boolean;
}

/** A question to the owner. Until the session ends, it has a field for the answer. */
export function OwnersQuestion({ live, view, question, canAnswer }: OwnersQuestionProps) {
  const place = answerPlace(view.session_id, question.question_id);
  return (
    <div class="record">
      <QuestionHead view={view} question={question} />
      <SafeText in="p" text={question.text} />
      {question.blocking && canAnswer && (
        <p class="muted">No revision of the contract can be certified before you answer.</p>
      )}
      {canAnswer && <AnswerForm place={place} act={(operation, input) => live.act(operation, input)} />}
    </div>
  );
}

function QuestionHead({ view, question }: { readonly view: SessionView; readonly question: Question }) {
  const { question_id, from, to, blocking, asked_at, status } = question;
  return (
    <p class="record-head">
      <IdLink id={question_id} />
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
      {questions.length > SHOWN && (
        <li class="muted">{`More questions in the transcript: ${questions.length - SHOWN}`}</li>
      )}
    </ul>
  );
}

export function QuestionItem({ view, question }: { readonly view: SessionView; readonly question: Question }) {
  return (
    <li class="record">
      <QuestionHead view={view} question={question} />
      <SafeText in="p" text={question.text} />
      {question.answer !== null && <SafeText in="p" class="reply" text={question.answer} />}
    </li>
  );
}
