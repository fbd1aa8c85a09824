import { plural } from '@parley/core/text';
import { APPROVED_BY, lapsedText } from '../../../../src/text/approved-by.ts';
import type { BriefAnswer } from '../../api/types.ts';
import { SafeText, When } from '../../ui/text/shown.tsx';

/**
 * Shows who approved a step, how many approvals are still missing, and whose do not count any more. Renders nothing if the step needs one approval
 * and no approver is known by name.
 */
export function ApprovalLine({ approvals: { stage, required, given, lapsed = [] } }: Pick<BriefAnswer, 'approvals'>) {
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
      {missing > 0 && `${given.length > 0 ? '; ' : ': '}${plural(missing, 'more approver')} needed`}
      {lapsed.length > 0 && <SafeText text={lapsedText(lapsed.map(({ person }) => person?.name ?? 'the owner'))} />}.
    </p>
  );
}
