import { lookUp } from '../../kernel/log/persistent-collections.ts';
import type { Role } from '../../kernel/roles.ts';
import type { Finding } from '../findings/record.ts';
import { openFindings } from '../findings/rules.ts';
import type { SessionState } from '../state.ts';
import type { Defect } from './record.ts';

/** An open finding in which the builder that must fix an open defect says that the other builder must fix it. */
export interface DefectDispute {
  readonly defect: Defect;
  readonly finding: Finding;
}

/**
 * The defect that a finding of the role disputes: `target` is the id of an open defect that is assigned to this role.
 * Undefined for any other target.
 */
export function disputedDefect({ verify }: SessionState, role: Role, target = ''): Defect | undefined {
  const defect = lookUp(verify.defects, target);
  return defect?.status === 'OPEN' && defect.assigned_to === role ? defect : undefined;
}

/** The open findings that dispute an open defect, oldest first, each with its defect. */
export const defectDisputes = (state: SessionState): DefectDispute[] =>
  openFindings(state.findings).flatMap((finding) => {
    const defect = disputedDefect(state, finding.raised_by, finding.target ?? undefined);
    return defect ? [{ defect, finding }] : [];
  });

/** The oldest finding that disputes a defect. Undefined if the defect is not disputed. */
export const disputeOf = (state: SessionState, defectId: string): Finding | undefined =>
  defectDisputes(state).find(({ defect }) => defect.defect_id === defectId)?.finding;
