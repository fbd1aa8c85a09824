import type { LoggedEvent } from '../../kernel/log/event.ts';
import type { LeftOut } from '../../kernel/operation/bounded-lists.ts';
import type { Builder } from '../../kernel/roles.ts';
import { isRecord } from '../../kernel/text/json-value.ts';
import type { SessionState } from '../state.ts';
import type { Task } from '../task.ts';
import { evidenceIn, levelOfItem, verifyEvents } from '../verify/events.ts';
import { evaluateEvidence, type Scenario, scenarioOf } from '../verify/scenarios.ts';
import type { Evidence } from '../verify/state.ts';

/** An item of evidence with placeholders, which the agent fills in. */
type Draft = Readonly<Record<string, unknown>>;

/** Maximum size of the evidence that the call of one verdict shows, and of that in all calls of an answer, in bytes. */
const GIVEN_BYTES = { call: 3_000, answer: 12_000 };

/** The number of the shortest items that fit into the call of one verdict: no more are read. */
const MAX_JUDGED = Math.floor(
  GIVEN_BYTES.call / JSON.stringify({ by: 'agent_a', kind: 'log', request_id: '', claim: '.', summary: '.' }).length,
);

/** Maximum number of items of evidence that a call repeats. */
const MAX_ITEMS = 20;
/** How the key of a draft begins that repeats an item. */
const FORMER = 'former-';
/** Maximum number of stored events that are read for an answer. */
const MAX_READ = 100;

/**
 * The builder's evidence in the last attempt with a verdict. If the policy requires evidence of both builders with a
 * common request_id, only the builder's evidence with the request_id that `evaluateEvidence` chooses. A run of a command is
 * not repeated by writing it again.
 */
function formerItems({ test, record }: Scenario, builder: Builder): readonly Evidence[] {
  const former = record.attempts.findLast(({ verdict }) => verdict !== null);
  if (!former) return [];
  const { request_id: run } = evaluateEvidence(former.evidence, test.evidence_policy);
  const own = former.evidence.filter((item) => isWrittenBy(builder)(item) && (run === null || item.request_id === run));
  return own.slice(0, MAX_ITEMS);
}

const isWrittenBy =
  (builder: Builder) =>
  ({ by, run }: Evidence): boolean =>
    by === builder && run === undefined;

/**
 * The items of `formerItems` that the builder has not yet given again in the open attempt. If no attempt is open, all
 * of them.
 */
function itemsToRepeat(scenario: Scenario, builder: Builder): readonly Evidence[] {
  const given = scenario.open?.evidence.filter(isWrittenBy(builder)) ?? [];
  return formerItems(scenario, builder).slice(given.length);
}

/** The request_id of a draft. Empty if the evidence of the two builders need not be correlated. */
const correlation = ({ test, evaluation }: Scenario): { readonly request_id?: string } =>
  test.evidence_policy?.correlated === false
    ? {}
    : { request_id: evaluation?.request_id ?? '<correlation id seen in the system under test>' };

/** An item of evidence for the agent to fill in. */
export const blankItem = (scenario: Scenario, kind = '<kind of evidence>'): Draft => ({
  kind,
  claim: '<what it shows>',
  summary: '<what you saw>',
  ...correlation(scenario),
});

/**
 * A draft for each item that must be given again. It has the kind of the former item, and placeholders instead of the
 * former texts.
 */
export function draftsToRepeat(scenario: Scenario, builder: Builder): Draft[] {
  const rest = itemsToRepeat(scenario, builder);
  const given = formerItems(scenario, builder).length - rest.length;
  return rest.map(({ kind }, index) => ({
    ...blankItem(scenario, kind),
    assertions: [],
    evidence_key: `${FORMER}${given + index + 1}`,
  }));
}

/**
 * A draft for each item of evidence that the builder must give: those to give again or, if they are not enough for an attempt
 * without a failed assertion, what the contract asks of the builder. Empty if only a run of a command or a workflow counts.
 */
export function draftsToGive(scenario: Scenario, builder: Builder): Draft[] {
  const repeated = draftsToRepeat(scenario, builder);
  const { evidence_policy: policy = {} } = scenario.test;
  const isWritten = (policy.level ?? 'claimed') === 'claimed' && (policy.per_agent_tests?.[builder] ?? []).length === 0;
  const isEnough = !scenario.open || isCompletedBy(scenario, builder) || (scenario.evaluation?.failing.length ?? 0) > 0;
  if (!isWritten || (repeated.length > 0 && isEnough)) return repeated;
  const missing = (scenario.evaluation ?? evaluateEvidence([], policy)).missing.filter(
    (one) => one.builder === builder,
  );
  const kinds = missing.flatMap((one) => ('kind' in one ? one.kind : []));
  const given = scenario.open?.evidence.filter(({ by }) => by === builder).length ?? 0;
  const count = Math.max(kinds.length, ...missing.map((one) => ('items' in one ? one.items : 0)));
  return Array.from({ length: Math.min(count, MAX_ITEMS) }, (_, index) => ({
    ...blankItem(scenario, kinds[index]),
    evidence_key: `first-${given + index + 1}`,
  }));
}

/** Whether the open attempt would meet its policy after the builder has given its former items again. */
export function isCompletedBy(scenario: Scenario, builder: Builder): boolean {
  const { open, evaluation, test } = scenario;
  // If an assertion has failed, giving the former items again cannot lead to a PASS.
  if (!open || !evaluation || evaluation.failing.length > 0) return false;
  const repeated = itemsToRepeat(scenario, builder).map((item) => ({
    ...item,
    failed: false,
    request_id: evaluation.request_id ?? item.request_id,
  }));
  return repeated.length > 0 && evaluateEvidence([...open.evidence, ...repeated], test.evidence_policy).met;
}

/**
 * Numbers of the events with the evidence that the calls of `tasks` repeat or judge. Those that the builder repeats come first,
 * then the first item of each verdict, then the second, and so on: what the other builder gives cannot displace the others.
 */
export function formerSeqs(state: SessionState, builder: Builder, tasks: readonly Task[]): number[] {
  const repeated = tasks.filter(repeats).flatMap((task) => itemsToRepeat(scenarioOf(state, task.scenario_id), builder));
  const judged = tasks
    .filter(judges)
    .flatMap((task) => [...givenTo(scenarioOf(state, task.scenario_id), builder).slice(0, MAX_JUDGED).entries()])
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
  return [...repeated, ...judged].slice(0, MAX_READ).map(({ message_id }) => message_id);
}

/**
 * Fills the calls that repeat evidence with the claims and assertions of the former evidence, of which the agent replaces the
 * placeholders by what it sees now, and adds to the calls of verdicts what they judge.
 */
export function withFormerTexts(
  state: SessionState,
  builder: Builder,
  tasks: readonly Task[],
  loaded: readonly LoggedEvent[],
): Task[] {
  const events = new Map(loaded.map((event) => [event.seq, event]));
  let left = GIVEN_BYTES.answer;
  const judged = tasks.map((task) => {
    if (!judges(task)) return task;
    const room = Math.min(left, GIVEN_BYTES.call);
    const { spent, ...shown } = viewGiven(scenarioOf(state, task.scenario_id), builder, { loaded: events, room });
    left -= spent;
    return { ...task, ...shown };
  });
  return judged.map((task) => {
    if (!repeats(task)) return task;
    const former = itemsToRepeat(scenarioOf(state, task.scenario_id), builder).map(({ message_id }) =>
      textsOf(events.get(message_id)),
    );
    const { evidence, ...payload } = task.payload;
    if (!Array.isArray(evidence)) return { ...task, payload: { ...payload, ...former[0] } };
    return {
      ...task,
      payload: { ...payload, evidence: evidence.map((draft, index) => ({ ...draft, ...former[index] })) },
    };
  });
}

const judges = (task: Task): task is Task & { readonly scenario_id: string } =>
  task.code === 'GIVE_VERDICT' && task.scenario_id !== undefined && !task.isSeen;

interface Repeating extends Task {
  readonly scenario_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Whether a call repeats evidence of an earlier attempt. Its payload then has `evidence` for several items, or is itself the
 * only item.
 */
const repeats = (task: Task): task is Repeating =>
  task.scenario_id !== undefined &&
  task.payload !== undefined &&
  !task.isSeen &&
  (isRepeated(task.payload) || isRepeated(task.payload.evidence));

const isRepeated = (draft: unknown): boolean =>
  String(Object(Array.isArray(draft) ? draft[0] : draft).evidence_key).startsWith(FORMER);

/**
 * The claim and the assertions of former evidence. Empty if the event is of another kind, because after a failover
 * another event can have the same number.
 */
function textsOf(event: LoggedEvent | undefined): Draft {
  const parsed = verifyEvents['evidence.submitted'].data.safeParse(event?.data);
  if (!parsed.success) return {};
  const { claim, assertions } = parsed.data;
  const open = { actual: '<what you saw>', passed: '<true or false>' };
  const repeated = assertions.map(({ name, expected }) => ({
    name: withoutValues(name),
    expected: withoutCommits(expected),
    ...open,
  }));
  return { claim: withoutValues(claim), assertions: repeated };
}

/** Matches the hash of a commit: 7 to 64 hex digits as a word, of which at least one is a letter. */
const COMMIT = /\b(?=\d*[a-f])[\da-f]{7,64}\b/gi;
/** Matches a number such as 38, 1.5 or 38/40, unless it is a part of a name such as if-2. */
const NUMBER = /(?<![\w-])\d+(?:[.,:/]\d+)*(?![\w-])/g;

/** A text of the earlier attempt without the values that can differ in this attempt, for the agent to fill in. */
const withoutValues = (text: string): string => text.replace(COMMIT, '<commit>').replace(NUMBER, '<number>');

/** An expected value, with placeholders for commits in its texts. */
const withoutCommits = (expected: unknown): unknown =>
  typeof expected === 'string' || Array.isArray(expected) || isRecord(expected)
    ? (JSON.parse(JSON.stringify(expected).replace(COMMIT, '<commit>')) as unknown)
    : expected;

/** The evidence that the other builder gave in the open attempt of a scenario. */
const givenTo = ({ open }: Scenario, judge: Builder): readonly Evidence[] =>
  open?.evidence.filter(({ by }) => by !== judge) ?? [];

interface Judged {
  readonly given?: readonly Readonly<Record<string, unknown>>[];
  readonly left_out?: LeftOut;
}

interface Shown {
  readonly loaded: ReadonlyMap<number, LoggedEvent>;
  /** Maximum size in bytes. */
  readonly room: number;
}

/** What the other builder gave, with its texts, in the order of the evidence; an item that does not fit is left out. */
function viewGiven(scenario: Scenario, judge: Builder, { loaded, room }: Shown): Judged & { spent: number } {
  const items = givenTo(scenario, judge);
  let spent = 0;
  const given = items.flatMap((item) => {
    const whole = viewWhole(item, loaded.get(item.message_id));
    const bytes = whole ? Buffer.byteLength(JSON.stringify(whole)) : 0;
    if (!whole || spent + bytes > room) return [];
    spent += bytes;
    return [whole];
  });
  const count = items.length - given.length;
  const how = `verify_board with scenario_id ${scenario.test.id} and attempt ${scenario.open?.attempt}.`;
  return { spent, ...(given.length > 0 && { given }), ...(count > 0 && { left_out: { count, how } }) };
}

/** Undefined if the event is of another kind, because after a failover another event can have the same number. */
function viewWhole(item: Evidence, event: LoggedEvent | undefined) {
  const body = event && evidenceIn(event);
  if (!body) return undefined;
  const { by, kind, request_id } = item;
  const { claim, summary, assertions, run } = body;
  return {
    ...{ by, kind, request_id, claim, summary },
    ...(assertions.length > 0 && { assertions }),
    ...(run && { run, level: levelOfItem(item) }),
  };
}
