import { APPROVED_BY } from '../../../../src/text/approved-by.ts';
import { plural } from '../../../../src/text/counted.ts';
import type { BriefAnswer } from '../../api/types.ts';
import { SafeText, When } from '../../ui/text/shown.tsx';

/**
 * Shows who approved a step, and how many approvals are still missing. Renders nothing if the step needs one approval
 * and no approver is known by name.
 */
export function ApprovalLine({ approvals: { stage, required, given } }: Pick<BriefAnswer, 'approvals'>) {
  const named = given.filter(({ person }) => person !== null);
  const missing = required - given.length;
  if (required === 1 && named.length === 0) return null;
  return (
    <p class="muted">
      {APPROVED_BY[stage]}{' '}
      {given.map(({ person, at }, index) => (
        <span key={at}>
          {index > 0 && ' and '}
          <strong>
            <SafeText text={person?.name ?? 'the owner'} />
          </strong>
          , <When at={at} />
        </span>
      ))}
      {missing > 0 && `${given.length > 0 ? '; ' : ': '}${plural(missing, 'more approver')} needed`}.
    </p>
  );
}
