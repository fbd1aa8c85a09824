import type { Seen } from './seen.ts';
import type { Call } from './world.ts';

/** The texts that calls sent for one record. */
export interface SaidOf {
  /** Position, text or advice of the record; for a finding of the moderator also the resolution criteria. */
  readonly texts: readonly unknown[];
  /** References of the record's evidence. */
  readonly evidence: readonly string[];
  /** Answers to the record, by role. For a finding, the responses. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The texts that calls sent, by record id. */
export type Said = ReadonlyMap<string, SaidOf>;

interface Stored {
  readonly call: Call;
  readonly before: Seen;
  readonly now: Seen;
}

/** Adds to `said` the texts that a call sent. The call must have stored something. */
export function saidAfter(said: Said, { call, before, now }: Stored): Said {
  const { by, name, input } = call;
  switch (name) {
    case 'submit_decision':
      return proposed(said, input, now);
    case 'post_turn':
      return listOf(input.proposed_decisions).reduce<Said>((all, proposal) => proposed(all, proposal, now), said);
    case 'submit_finding':
    case 'submit_moderator_finding':
      return begun(said, `f_${before.view().findings.length + 1}`, [input.text, input.resolution_criteria ?? null]);
    case 'respond_finding':
      return answered(said, String(input.finding_id), { [by]: input.response });
    case 'ask':
    case 'direct':
    case 'ask_agent':
      return begun(said, `i_${before.view().interventions.length + 1}`, [input.text]);
    case 'answer_intervention':
      return answered(said, String(input.intervention_id), { [by]: input.text });
    case 'recommend_to_owner':
      return begun(said, `rec_${before.view().recommendations.length + 1}`, [input.text]);
    default:
      return said;
  }
}

const listOf = (value: unknown): readonly object[] => (Array.isArray(value) ? value : []);

const begun = (said: Said, id: string, texts: readonly unknown[]): Said =>
  new Map([...said, [id, { texts, evidence: [], answers: {} }]]);

function answered(said: Said, id: string, answers: SaidOf['answers']): Said {
  const one = said.get(id) ?? { texts: [], evidence: [], answers: {} };
  return new Map([...said, [id, { ...one, answers: { ...one.answers, ...answers } }]]);
}

const topicOf = (topic: unknown): string => String(topic).trim().toLowerCase();

/** Adds a proposal to the active decision on its topic. A new decision gets the position; every proposal adds evidence. */
function proposed(said: Said, proposal: object, now: Seen): Said {
  const { topic, position, evidence } = Object(proposal);
  const decisions = now.view().decisions.filter((one) => one.active && topicOf(one.topic) === topicOf(topic));
  const id = decisions[0]?.decision_id ?? 'none';
  const one = said.get(id) ?? { texts: [position], evidence: [], answers: {} };
  const references = listOf(evidence).map((item) => String(Object(item).reference));
  return new Map([...said, [id, { ...one, evidence: [...new Set([...one.evidence, ...references])] }]]);
}
