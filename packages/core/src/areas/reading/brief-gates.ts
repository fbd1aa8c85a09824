import { z } from 'zod';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { Contract } from '../document/contract.ts';
import type { BriefStage } from './brief-moderator.ts';

const BriefGate = Contract.shape.gates.element.pick({ id: true, title: true, condition: true });
documented.add(BriefGate, { id: 'BriefGate' });

/** The member of a brief about the gates of the contract. */
export const GATE_FIELDS = {
  gates: z
    .array(BriefGate)
    .describe(
      'The gates of the contract for this stage: what must hold before you authorize it. Empty for the approval.',
    ),
};

/**
 * Lists the gates of a stage.
 * @param text the RFC 8785 form of the contract, or null if there is no revision
 */
export function listGates(lists: BoundedLists, stage: BriefStage, text: string | null) {
  const contract = text === null ? null : parseOrNull(text);
  const all = Contract.shape.gates.safeParse(isRecord(contract) ? contract.gates : []);
  const gates = lists.list({
    records: (all.data ?? []).filter((gate) => gate.stage === stage),
    view: ({ id, title, condition }) => ({ id, title, condition }),
    how: () => 'Call contract.',
  });
  return () => ({ gates: gates() });
}
