/** For each step that only an approver can take, the words before the names of the approvers. */
export const APPROVED_BY = {
  approval: 'Contract approved by',
  build: 'Build authorized by',
  deployment: 'Deployment authorized by',
  activation: 'Activation authorized by',
  release: 'Released by',
} as const;

/** Says whose approvals do not count. Empty without names. */
export const lapsedText = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; the approval of ${names.join(' and ')} does not count any more`;
