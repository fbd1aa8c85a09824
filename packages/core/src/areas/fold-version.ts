/**
 * Version of the fold, stored with snapshots. Raise it by one when a log folds into another state, or a state
 * serialises to another text, and when a kind of event is added: snapshots of other versions are ignored. The test of
 * the stored logs fails when a raise is due.
 */
export const FOLD_VERSION = 5;
