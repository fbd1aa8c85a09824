import { lookUp, valuesOf } from '../../../kernel/log/persistent-collections.ts';
import { memoizeBy } from '../../../kernel/memoize.ts';
import { type Builder, otherBuilder } from '../../../kernel/roles.ts';
import { firstWords } from '../../../kernel/text/first-words.ts';
import type { Intervention } from '../../interventions/record.ts';
import type { Interventions } from '../../interventions/state.ts';
import type { SessionState } from '../../state.ts';
import type { Defect } from '../../verify/record.ts';
import { MAX_SIDE_CHARS, type OwnerWait, saidBy, waitOf } from './owner-wait.ts';

const DEFECT_IDS = /\bdef_[1-9]\d{0,8}\b/g;

/** A defect, a builder, and the latest intervention of the owner to this builder whose text names the defect. */
interface Named {
  readonly defectId: string;
  readonly target: Builder;
  readonly intervention: Intervention;
}

/**
 * The tasks to read the answers about open defects. A defect has this task if its assignee has answered the owner's
 * latest question that names the defect. The task ends with the owner's decision about the defect, with a later question
 * or directive to the assignee that names the defect, and when the defect is marked as fixed. The answer may dispute the
 * assignment; the service does not interpret the answer. The task never blocks.
 */
export const answerWaits = (state: SessionState): OwnerWait[] =>
  lastNaming(state.interventions).flatMap(({ defectId, target, intervention }) => {
    const defect = lookUp(state.verify.defects, defectId);
    if (defect?.status !== 'OPEN' || defect.assigned_to !== target || intervention.type !== 'QUESTION') return [];
    const { status, text, at, seq } = intervention.responses[target] ?? {};
    const isNew = (seq ?? 0) > Math.max(defect.failed_seq, defect.reassigned?.at(-1)?.message_id ?? 0);
    return status === 'ANSWERED' && isNew ? [answerWait(defect, intervention, { text: text ?? '', at: at ?? '' })] : [];
  });

function answerWait(
  { defect_id: id, assigned_to: by }: Defect,
  { intervention_id, responses }: Intervention,
  answer: { readonly text: string; readonly at: string },
): OwnerWait {
  const role = otherBuilder(by);
  const record = { type: 'defect', id };
  const text = `${by}, which has to fix ${id}, answered ${intervention_id}: read the answer, then assign ${id} to ${role}, waive it, or direct ${by} to fix ${id}.`;
  return waitOf(
    { kind: 'ANSWER', record, operation: 'reassignDefect', text, since: answer.at },
    {
      payload: { defect_id: id, role },
      blocking: false,
      ...saidBy(by, bothAnswers(answer.text, role, responses[role]?.text)),
    },
  );
}

/** The answer of the assignee, then the answer of the other builder if the owner asked both and it has answered. */
const bothAnswers = (answer: string, other: Builder, otherAnswer: string | null | undefined): string =>
  otherAnswer
    ? [answer, `${other} answers: ${otherAnswer}`].map((side) => firstWords(side, MAX_SIDE_CHARS)).join('\n\n')
    : answer;

/** For each defect and builder: the latest intervention of the owner to this builder that names the defect. */
const lastNaming = memoizeBy(({ all }: Interventions): readonly Named[] => {
  const last = new Map<string, Named>();
  for (const intervention of valuesOf(all))
    for (const defectId of defectsIn(intervention))
      for (const target of intervention.targets) last.set(`${defectId} ${target}`, { defectId, target, intervention });
  return [...last.values()];
});

/** Ids of the defects that an intervention of the owner names. Empty for an intervention of the moderator. */
const defectsIn = memoizeBy(
  ({ from, text }: Intervention): readonly string[] => (from === 'owner' && text?.match(DEFECT_IDS)) || [],
);
