/** The beginning of the line that names who took each step that only an approver can take. */
export const APPROVED_BY = {
  approval: 'Contract approved by',
  build: 'Build authorized by',
  deployment: 'Deployment authorized by',
  activation: 'Activation authorized by',
} as const;
