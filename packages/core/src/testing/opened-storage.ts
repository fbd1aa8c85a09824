import type { Storage } from '../kernel/storage/storage.ts';

/** A storage under test, with what the suite needs to look at it from outside. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** An independent handle on the same data, as a second process has. Left out where only one process can be. */
  sibling?(): Promise<Storage>;
  /** The same data, opened anew after `storage` was closed. Left out where nothing is kept. */
  reopen?(): Promise<Storage>;
  /** Runs last, after the storage was closed. */
  close?(): Promise<void>;
}

/** How the cases reach the storage: opened once for all of them. */
export type Opened = () => OpenedStorage;
