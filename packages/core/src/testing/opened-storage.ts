import type { Storage } from '../kernel/storage/storage.ts';

/** A storage under test, and functions that open its data again. */
export interface OpenedStorage {
  readonly storage: Storage;
  /**
   * Opens another handle on the same data, as a second process would. Absent if the storage allows one process only.
   */
  sibling?(): Promise<Storage>;
  /** Opens the same data again after `storage` was closed. Absent if the storage loses its data when it is closed. */
  reopen?(): Promise<Storage>;
  /** Removes what the test has set up. Called last, after the storage was closed. */
  close?(): Promise<void>;
}

/** Returns the storage under test. It is opened once for all test cases. */
export type Opened = () => OpenedStorage;
