/** Generated from the registry by `pnpm docs:owner-dialogs`. */
import type { DialogReference } from '@parley/core';
import type { DialogOperation } from './owner-buttons.ts';

export const OWNER_DIALOGS: Readonly<Record<DialogOperation, Omit<DialogReference, 'button' | 'needs' | 'offered'>>> = {
  overrideFinding: {"title":"Override {finding_id}","explanation":"The finding is closed although the agent that raised it has not closed it. Any hold on the finding ends. Everybody in the session can read your reason.","confirm":"Override the finding","fields":[{"name":"finding_id","isRequired":true,"rows":3},{"name":"reason","isRequired":true,"rows":3}],"isGrounded":true},
  releaseHold: {"title":"Release hold {hold_id}","explanation":"The hold then no longer stops the approval and the authorizations. The finding stays open.","confirm":"Release the hold","fields":[{"name":"hold_id","isRequired":true,"rows":3},{"name":"reason","isRequired":true,"rows":3}],"isGrounded":true},
  overrideReview: {"title":"Override the moderator's review","explanation":"The moderator's request for changes no longer blocks the approval. Everybody in the session can read your reason.","confirm":"Override the review","fields":[{"name":"role","isRequired":true,"rows":3},{"name":"reason","isRequired":true,"rows":3}],"isGrounded":true},
  requestChanges: {"title":"Request changes","explanation":"The contract is returned to its author. If you have approved the contract, the approval, its manifest and every authorization are cancelled.","confirm":"Send it back","fields":[{"name":"reason","isRequired":true,"rows":3}],"isGrounded":true},
  pause: {"title":"Pause the session","explanation":"Agents can still read, acknowledge and answer. Everything else waits until you resume. The agents can read the reason.","confirm":"Pause","fields":[{"name":"reason","isRequired":true,"rows":3}],"isGrounded":false},
};
