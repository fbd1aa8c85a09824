import { isDeepStrictEqual } from 'node:util';
import { listFindings } from '../../../src/areas/findings/operations.ts';
import { records } from '../../../src/areas/owner/records.ts';
import { listDecisions } from '../../../src/areas/planning/decision-operations.ts';
import type { SaidOf } from '../said.ts';
import type { Seen } from '../seen.ts';
import { look, type World } from '../world.ts';
import type { Invariant } from './facts.ts';

interface Listed {
  readonly id: string;
  readonly type: 'decision' | 'finding' | 'intervention' | 'recommendation';
  readonly text: string | null;
  /** Whether the record was closed without effect. */
  readonly isVoid: boolean;
}

function listedIn(now: Seen): Listed[] {
  const { decisions, findings, interventions, recommendations } = now.view();
  return [
    ...decisions.map(({ decision_id: id, position: text, status }) => ({
      ...{ id, type: 'decision' as const, text },
      isVoid: /^(SUPERSEDED|WITHDRAWN|REJECTED)$/.test(status),
    })),
    ...findings.map(({ finding_id: id, text, status }) => ({
      ...{ id, type: 'finding' as const, text, isVoid: status === 'WITHDRAWN' },
    })),
    ...interventions.map(({ intervention_id: id, text, responses }) => ({
      ...{ id, type: 'intervention' as const, text },
      isVoid: text === null || responses.some(({ status }) => status === 'WITHDRAWN'),
    })),
    ...recommendations.map(({ recommendation_id: id, text, answer }) => ({
      ...{ id, type: 'recommendation' as const, text, isVoid: answer?.decision === 'REJECT' },
    })),
  ];
}

/**
 * If a call closes a record without effect, lists leave out the texts of the record. A read of the record by its id
 * still returns the texts unchanged.
 */
export const textsAreKept: Invariant = function* ({ world, now, before, ledger }) {
  const earlier = new Map(listedIn(before).map((one) => [one.id, one]));
  for (const { id, type, text, isVoid } of listedIn(now)) {
    if (isVoid !== (text === null)) yield `${id} is listed with the text ${text}`;
    if (!isVoid || earlier.get(id)?.isVoid) continue;
    const due = ledger.said.get(id);
    for (const whole of wholeReadings(world, type, id)) {
      const said = saidIn(whole);
      // Answers are compared by role, because the ledger does not store the order in which the builders answered.
      if (!isDeepStrictEqual(said, due)) yield `${id} says ${JSON.stringify(said)}; ${JSON.stringify(due)} is due`;
    }
  }
};

function wholeReadings(world: World, type: Listed['type'], id: string): readonly unknown[] {
  const ofTheOwner = look(world, records, 'owner', { type, id }).records;
  if (type === 'decision')
    return [...ofTheOwner, ...look(world, listDecisions, 'agent_b', { decision_id: id }).decisions];
  if (type === 'finding') return [...ofTheOwner, ...look(world, listFindings, 'agent_a', { finding_id: id }).findings];
  return ofTheOwner;
}

/** The texts of a record, in the form of the ledger. */
function saidIn(whole: unknown): SaidOf {
  const {
    position,
    text,
    raised_by,
    resolution_criteria,
    evidence = [],
    response,
    other_response,
    responses = [],
  } = Object(whole);
  const answers: (readonly [string, unknown])[] = Array.from(Object.values(responses), (one) => {
    const { role, text: words } = Object(one);
    return [String(role), words];
  });
  return {
    texts: raised_by === undefined ? [position ?? text] : [text, resolution_criteria],
    evidence: Array.from(Object.values(evidence), (item) => String(Object(item).reference)),
    answers: response
      ? Object.fromEntries([response, other_response ?? response].map((given) => [given.by, given.response]))
      : Object.fromEntries(answers.filter(([, words]) => words !== null)),
  };
}
