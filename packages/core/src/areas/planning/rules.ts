import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { Limits } from '../../kernel/limits.ts';
import { lookUp } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import { RequestId } from '../../kernel/operation/arguments.ts';
import { documented } from '../../kernel/operation/json-schema.ts';
import { BUILDERS, type Builder, isBuilder, otherBuilder, type Role } from '../../kernel/roles.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import type { SessionDraft } from '../catalog.ts';
import { BuilderRole } from '../fields.ts';
import { NOTED } from '../findings/rules.ts';
import { AgendaScenario, AgendaTopic } from '../session/events.ts';
import type { SessionState } from '../state.ts';
import { type Addressee, type NewQuestion, type TurnAnswer, TurnFields } from './fields.ts';
import {
  type Election,
  type ElectionView,
  type Nomination,
  type Question,
  type Questions,
  resolvedOn,
  viewNomination,
} from './state.ts';

const readQuestion = (question: NewQuestion) =>
  typeof question === 'string'
    ? { text: question, to: 'agent' as const, blocking: false }
    : { ...question, blocking: question.blocking ?? false };

/**
 * The key by which a repeated question is recognised. Questions to the same addressee have the same key if their texts
 * differ only as `nameKey` allows.
 */
export const questionKey = (question: NewQuestion): string => {
  const { to, text: words } = readQuestion(question);
  return `${to === 'owner' ? to : 'agent'} ${nameKey(words)}`;
};

export const openByKey = ({ all, open }: Questions, role: Role): ReadonlyMap<string, Question> =>
  new Map(
    open
      .flatMap((id) => lookUp(all, id) ?? [])
      .filter(({ from }) => from === role)
      .map((question) => [questionKey(question), question]),
  );

type Addressed = ReturnType<typeof addressed>[number];

/** Adds to each question the role that must answer it. Refuses a question to the caller itself. */
export const addressed = (asked: readonly NewQuestion[], role: Role) =>
  asked.map(readQuestion).map((question, index) => ({ ...question, to: addresseeOf(question.to, role, index) }));

function addresseeOf(to: z.output<typeof Addressee>, role: Role, index: number): Builder | 'owner' {
  if (to === 'owner' || !isBuilder(role)) return 'owner';
  const other = otherBuilder(role);
  if (to === 'agent' || to === other) return other;
  const message = `You are ${role}: address the question to ${other}, or to the owner.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: `questions[${index}].to`, message }] });
}

/**
 * The data of the events that ask these questions. Refuses the questions if the role would then have more open
 * questions than the limit allows.
 */
export function askedData(
  { all, open }: Questions,
  asked: readonly Addressed[],
  { role, limits }: { readonly role: Role; readonly limits: Limits },
) {
  const own = open.filter((id) => lookUp(all, id)?.from === role);
  if (own.length + asked.length > limits.openQuestions)
    fail('LIMIT_EXCEEDED', `You can have at most ${limits.openQuestions} open questions.`, {
      limit: limits.openQuestions,
      hint: 'Wait until one of your questions is answered, or send the call without questions.',
    });
  return asked.map(({ text: words, to, blocking }, index) => ({
    question_id: `q_${all.size + index + 1}`,
    to,
    text: words,
    blocking,
  }));
}

/**
 * Returns a question that is addressed to the role. Refuses any other question with the same error as an unknown id.
 */
export function questionTo(questions: Questions, id: string, role: Role): Question {
  const question = lookUp(questions.all, id);
  if (question?.to === role) return question;
  return fail('UNKNOWN_RECORD', `No question ${id} is addressed to you.`, { record: { type: 'question', id } });
}

/**
 * Whether the answer must be stored. False if the question already has the same answer. Refuses a different second
 * answer.
 */
export function isNewAnswer({ question_id, answer, answered_at }: Question, text: string): boolean {
  if (answer === null) return true;
  if (answer === text) return false;
  return fail('ALREADY_ANSWERED', `Question ${question_id} was answered at ${answered_at} with a different text.`, {
    question_id,
  });
}

/** Unanswered questions that this role has asked, oldest first. */
export const openQuestionsFrom = (questions: Questions, role: Role): Question[] =>
  questions.open.flatMap((id) => {
    const question = lookUp(questions.all, id);
    return question?.from === role ? [question] : [];
  });

export const openQuestionsTo = (questions: Questions, role: Role): Question[] =>
  questions.open.flatMap((id) => {
    const question = lookUp(questions.all, id);
    return question?.to === role ? [question] : [];
  });

/** The builder that posts the turn with this number. The builders alternate. */
export const speakerOf = ({ profile }: SessionState, turnIndex: number): Builder =>
  turnIndex % 2 === 0 ? profile.first_turn : otherBuilder(profile.first_turn);

export const roundOf = ({ profile }: SessionState, turnIndex: number): number =>
  Math.min(Math.floor(turnIndex / 2) + 1, profile.round_limit);

export const hasTurnsLeft = ({ profile, turns }: SessionState): boolean => turns.count < 2 * profile.round_limit;

/** The builder that can post a turn now. Null if the status, the phase or the limit of rounds allows no turn. */
export function nextAgent(state: SessionState): Builder | null {
  const { status, phase } = state.profile;
  const isOpen = status === 'ACTIVE' && (phase === 'PLANNING' || phase === 'CONTRACT');
  return isOpen && hasTurnsLeft(state) ? speakerOf(state, state.turns.count) : null;
}

export const hasConverged = ({ turns }: SessionState): boolean =>
  BUILDERS.every((builder) => turns.lastOf[builder]?.converged === true);

/**
 * The faults of an answer: missing members, and members that belong to the other kind of answer. The path `''` stands
 * for the whole answer.
 */
function* faultsOf(answer: TurnAnswer): Generator<readonly [string, string]> {
  const { question_id, decision_id, decision, reason } = answer;
  if (question_id === undefined && decision_id === undefined)
    return yield ['', 'Must name a question_id, with answer, or a decision_id, with decision.'];
  if (question_id !== undefined) {
    if (answer.answer === undefined) yield ['answer', 'Is required.'];
    for (const member of DECISION_MEMBERS)
      if (answer[member] !== undefined) yield [member, 'Must be in another item: this item answers a question.'];
    return;
  }
  if (answer.answer !== undefined) yield ['answer', 'Must be left out: this item answers a decision.'];
  if (decision === undefined) yield ['decision', 'Is required.'];
  if (decision === 'REJECT' && reason === undefined) yield ['reason', 'Is required.'];
}

const DECISION_MEMBERS = ['decision_id', 'decision', 'reason'] as const;

const turnShape = z.strictObject({
  ...TurnFields,
  ...NOTED,
  nominates: BuilderRole.optional().describe('As elect_contract_author: the Contract Author you want.'),
  request_id: RequestId.optional().describe('Idempotency key.'),
});

/**
 * A turn as the caller sends it. Refuses repetitions within the turn: of a question or decision that is answered, of
 * the topic of a proposal, of a new question, and of an acknowledged directive.
 */
export const TurnInput = turnShape.superRefine((turn, issues) => {
  const report = (path: string, values: readonly string[] = []): void => {
    values.forEach((value, index) => {
      if (values.indexOf(value) < index)
        issues.addIssue({ code: 'custom', path: [path, index], message: 'Repeats an earlier item of this turn.' });
    });
  };
  turn.answers?.forEach((answer, index) => {
    for (const [member, message] of faultsOf(answer))
      issues.addIssue({ code: 'custom', path: ['answers', index, ...(member ? [member] : [])], message });
  });
  report(
    'answers',
    turn.answers?.map(({ question_id, decision_id }, index) => question_id ?? decision_id ?? String(index)),
  );
  report(
    'proposed_decisions',
    turn.proposed_decisions?.map(({ topic }) => nameKey(topic)),
  );
  report('questions', turn.questions?.map(questionKey));
  report('acknowledged_directives', turn.acknowledged_directives);
});
documented.add(TurnInput, { id: 'Turn' });

export type Turn = z.output<typeof turnShape>;

/**
 * The events that make `author` the Contract Author. In PLANNING they also start the phase CONTRACT; later they are empty if
 * this builder is the author already.
 */
export function electionDrafts({ election, profile }: SessionState, author: Builder): SessionDraft[] {
  const elected = {
    kind: 'author.elected' as const,
    data: { contract_author: author, technical_reviewer: otherBuilder(author) },
  };
  if (profile.phase !== 'PLANNING') return election.contract_author === author ? [] : [elected];
  return [elected, { kind: 'phase.changed', data: { from: 'PLANNING', to: 'CONTRACT' }, actor: 'system' }];
}

/** The events of a nomination. Empty if the builder has given the same one. The election follows once both name the same candidate. */
export function nominationDrafts(
  state: SessionState,
  role: Builder,
  { candidate, reason }: Pick<Nomination, 'candidate' | 'reason'>,
): SessionDraft[] {
  const { nominations } = state.election;
  const own = nominations[role];
  if (own?.candidate === candidate && own.reason === reason) return [];
  const elected = nominations[otherBuilder(role)]?.candidate === candidate ? electionDrafts(state, candidate) : [];
  return [
    { kind: 'author.nominated', data: { candidate, reason } },
    ...elected.map((draft) => ({ ...draft, actor: 'system' as const })),
  ];
}

/**
 * Why a builder may become the author by submitting the first revision: the owner chose it when it created the session
 * (`chosen`), or the other builder has nominated it (`nominated`). Undefined if it may not.
 */
export function claimOf({ election, profile }: SessionState, role: Role): 'chosen' | 'nominated' | undefined {
  if (profile.phase !== 'PLANNING' || !isBuilder(role)) return undefined;
  if (election.contract_author === role) return 'chosen';
  return election.nominations[otherBuilder(role)]?.candidate === role ? 'nominated' : undefined;
}

/** The events by which a builder that may become the author does so with its first revision. */
export const submissionDrafts = (state: SessionState, role: Builder): SessionDraft[] =>
  claimOf(state, role) === 'chosen'
    ? electionDrafts(state, role).map((draft) => ({ ...draft, actor: 'system' as const }))
    : nominationDrafts(state, role, { candidate: role, reason: 'Submits the first revision.' });

/**
 * If the builders have nominated different candidates: `follower` is the builder that nominated later, and `candidate`
 * is the candidate of the earlier nomination. The follower is asked to nominate that candidate too.
 */
export function followerInSplit({ nominations }: Election): { follower: Builder; candidate: Builder } | null {
  const { agent_a, agent_b } = nominations;
  if (!agent_a || !agent_b || agent_a.candidate === agent_b.candidate) return null;
  return agent_a.seq > agent_b.seq
    ? { follower: 'agent_a', candidate: agent_b.candidate }
    : { follower: 'agent_b', candidate: agent_a.candidate };
}

export const viewElection = ({ nominations, ...elected }: Election): ElectionView => ({
  nominations: BUILDERS.flatMap((builder) => nominations[builder] ?? []).map(viewNomination),
  ...elected,
});

export const AgendaView = z
  .strictObject({ topics: z.array(AgendaTopic), scenarios: z.array(AgendaScenario) })
  .describe('What the owner wants decided and tested.');
documented.add(AgendaView, { id: 'Agenda' });

/** What is open of an agenda. */
export const AgendaOpen = z
  .strictObject({
    topics: z.array(z.string()).describe('Topics on which no decision is RESOLVED.'),
    scenarios: z.array(z.string()).describe('Ids of scenarios that are no test of the latest revision.'),
  })
  .describe('What of the agenda is neither decided nor in the contract; absent if nothing.');
documented.add(AgendaOpen, { id: 'AgendaOpen' });

/** The agenda and what of it is open, as members of an answer to the owner. Without an agenda, an object without members. */
export function viewAgenda({ profile: { agenda }, decisions, contract: { outline } }: SessionState): {
  agenda?: z.output<typeof AgendaView>;
  agenda_open?: z.output<typeof AgendaOpen>;
} {
  if (!agenda) return {};
  const tests = new Set(outline?.tests.map(({ id }) => id));
  const topics = agenda.topics.map(({ topic }) => topic).filter((topic) => resolvedOn(decisions, topic) === null);
  const scenarios = agenda.scenarios.map(({ id }) => id).filter((id) => !tests.has(id));
  return { agenda, ...(topics.length + scenarios.length > 0 && { agenda_open: { topics, scenarios } }) };
}

/**
 * The tests of a submitted contract. A test with the id of a scenario gets the members of the scenario that it leaves out, and
 * depends on no test if it does not say.
 * The same value if there is nothing to add, also if it is no list of tests.
 */
export function withScenarios(tests: unknown, { profile: { agenda } }: SessionState): unknown {
  if (!agenda || !Array.isArray(tests)) return tests;
  const scenarios = new Map<unknown, object>(
    agenda.scenarios.map((scenario) => [scenario.id, { depends_on: [], ...scenario }]),
  );
  const filled = tests.map((test: unknown) => (isRecord(test) ? withScenario(test, scenarios.get(test.id)) : test));
  return filled.every((test, index) => test === tests[index]) ? tests : filled;
}

const withScenario = (test: Readonly<Record<string, unknown>>, scenario: object = {}): object =>
  Object.keys(scenario).every((member) => Object.hasOwn(test, member)) ? test : { ...scenario, ...test };
