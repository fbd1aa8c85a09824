import { listOf } from '../contracts.ts';
import { BUILDERS, openInterventionsIn } from '../seen.ts';
import type { Call } from '../world.ts';
import type { Invariant } from './facts.ts';

const topicOf = (topic: string): string => topic.trim().toLowerCase().replace(/\s+/g, ' ');

/** Whether the call accepts this decision, by the decision's id or by a proposal with `accept` on the decision's topic. */
function acceptsIn({ name, input }: Call, id: string, topic: string): boolean {
  if (name === 'accept_decision') return input.decision_id === id;
  const answers = name === 'post_turn' ? listOf(input.answers).map(Object) : [];
  if (answers.some(({ decision_id, decision }) => decision_id === id && decision === 'ACCEPT')) return true;
  const proposals = name === 'submit_decision' ? [input] : name === 'post_turn' ? listOf(input.proposed_decisions) : [];
  return proposals.map(Object).some((said) => said.accept === true && topicOf(String(said.topic)) === topicOf(topic));
}

/** A topic has at most one active decision. A decision that both builders accepted is RESOLVED. No acceptance is removed. */
export const decisionsAreRight: Invariant = function* ({ now, before, call }) {
  const { decisions } = now.view();
  const active = new Map<string, string>();
  for (const { decision_id: id, topic, status, active: isActive, accepted_by } of decisions) {
    if (isActive !== (status === 'PROPOSED' || status === 'RESOLVED'))
      yield `${id} is ${status} and active ${isActive}`;
    if (status === 'RESOLVED' && accepted_by.length !== 2) yield `${id} is RESOLVED by ${accepted_by.join()}`;
    if (status === 'PROPOSED' && accepted_by.length === 2) yield `${id} is PROPOSED and accepted by both`;
    const earlier = before.view().decisions.find(({ decision_id }) => decision_id === id);
    const accepts = acceptsIn(call, id, isActive ? topic : '');
    const due = BUILDERS.filter((role) => earlier?.accepted_by.includes(role) || (accepts && call.by === role));
    if (accepted_by.join() !== due.join()) yield `${id} is accepted by ${accepted_by.join()}; ${due.join()} are due`;
    const other = active.get(topicOf(topic));
    if (isActive && other) yield `${id} and ${other} are active on one topic`;
    if (isActive) active.set(topicOf(topic), id);
  }
  for (const { decision_id, supersedes } of decisions) {
    const earlier = decisions.find(({ decision_id: id }) => id === supersedes);
    if (supersedes !== null && earlier?.status !== 'SUPERSEDED')
      yield `${decision_id} supersedes ${supersedes}, which is ${earlier?.status}`;
  }
};

/** An active decision keeps its evidence, and new proposals add evidence without duplicates. */
export const evidenceIsKept: Invariant = function* ({ now, before, call }) {
  const { decisions } = now.view();
  for (const { decision_id: id, evidence } of before.view().decisions) {
    const later = decisions.find(({ decision_id }) => decision_id === id);
    const after = later?.evidence ?? [];
    if (later?.active && JSON.stringify(after.slice(0, evidence.length)) !== JSON.stringify(evidence))
      yield `${id} lost evidence`;
  }
  for (const { decision_id: id, evidence } of decisions)
    if (new Set(evidence.map(({ reference }) => reference)).size < evidence.length) yield `${id} holds evidence twice`;
  if (call.name !== 'submit_decision' || call.input.evidence === undefined) return;
  const stated = decisions.findLast(
    ({ active, topic }) => active && topicOf(topic) === topicOf(String(call.input.topic)),
  );
  const [sent] = Array.isArray(call.input.evidence) ? call.input.evidence : [];
  if (!stated?.evidence.some(({ reference }) => reference === Object(sent).reference))
    yield `${stated?.decision_id} lacks the evidence that came with its position`;
};

/**
 * In PLANNING `next_agent` is the builder that may post a turn now, and `your_turn` is true for this builder. In CONTRACT
 * nobody is named, because a turn is not required.
 */
export const turnsAreRight: Invariant = function* ({ now }) {
  const { status, phase, turn_index, round_limit, round, next_agent } = now.session();
  const isOpen = status === 'ACTIVE' && phase === 'PLANNING' && turn_index < 2 * round_limit;
  const due = isOpen ? (turn_index % 2 === 0 ? 'agent_a' : 'agent_b') : null;
  if (next_agent !== due) yield `next_agent is ${next_agent}; ${due} is due`;
  if (round !== Math.min(Math.floor(turn_index / 2) + 1, round_limit)) yield `round ${round} at turn ${turn_index}`;
  for (const role of BUILDERS) {
    const own = now.state(role);
    if (own.next_agent !== due || own.your_turn !== (due === role)) yield `${role} is told your_turn ${own.your_turn}`;
  }
};

/** An agent's state view lists exactly the open questions and interventions that the agent has to answer. */
export const openRecordsAreRight: Invariant = function* ({ now }) {
  const { questions, interventions } = now.view();
  for (const role of BUILDERS) {
    const state = now.state(role);
    const open = questions.filter(({ to, status }) => to === role && status === 'OPEN');
    if (
      state.open_questions.map(({ question_id }) => question_id).join() !==
      open.map(({ question_id }) => question_id).join()
    )
      yield `${role} is shown other questions than are open to it`;
    const unanswered = interventions.filter(({ responses }) =>
      responses.some((response) => response.role === role && /^(OPEN|ACKNOWLEDGED)$/.test(response.status)),
    );
    const shown = idsOf(openInterventionsIn(state));
    if (shown !== idsOf(unanswered)) yield `${role} is shown the interventions ${shown}`;
  }
};

const idsOf = (interventions: readonly { readonly intervention_id: string }[]): string =>
  interventions
    .map(({ intervention_id }) => intervention_id)
    .toSorted()
    .join();
