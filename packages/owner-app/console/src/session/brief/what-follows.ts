import type { Stage } from './steps.ts';

/** What happens after each step, and how the step can be undone. */
export const WHAT_FOLLOWS: Readonly<Record<Stage, string>> = {
  approval:
    'The contract with this hash is frozen in a manifest, and each agent gets its handoff. Requesting changes cancels the approval.',
  build:
    'Both agents are told to write code from the frozen contract. Requesting changes cancels this authorization and removes the manifest.',
  deployment:
    'Parley records that the declared commits may be deployed, and the session moves to RELEASE. Parley deploys nothing itself. If an agent declares a new commit, the authorization is cancelled.',
  activation:
    'Parley records that the deployed commits may be activated. Parley activates nothing itself. If an agent declares a new commit, the authorization is cancelled.',
  release:
    'Parley records that the declared commits may be deployed and activated, and the session ends for good. Parley deploys and activates nothing itself. The release cannot be undone.',
};
