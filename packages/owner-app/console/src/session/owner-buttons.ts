/** Generated from the registry by `pnpm docs:owner-dialogs`. */
import type { DialogReference } from '@parley/core';

/** The operations whose dialog is made from their definition. */
export const DIALOG_OPERATIONS = ['overrideFinding', 'releaseHold', 'overrideReview', 'requestChanges', 'pause'] as const;

export type DialogOperation = (typeof DIALOG_OPERATIONS)[number];

export const OWNER_BUTTONS: Readonly<Record<DialogOperation, Pick<DialogReference, 'button' | 'needs' | 'offered'>>> = {
  overrideFinding: {"button":"Override…","needs":"approver"},
  releaseHold: {"button":"Release the hold…","needs":"approver"},
  overrideReview: {"needs":"approver"},
  requestChanges: {"button":"Request changes…","needs":"operator"},
  pause: {"button":"Pause…","needs":"operator","offered":["ACTIVE"]},
};
