/**
 * Version of the fold. It is stored with each snapshot, and snapshots of another version are ignored. Raise it by one
 * if a log now folds into another state, if a state is serialised to another text, or if a kind of event is added. The
 * test of the stored logs fails if the version was not raised.
 */
export const FOLD_VERSION = 15;
