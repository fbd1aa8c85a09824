import type { Storage } from '../../kernel/storage/storage.ts';

/** A storage under test, and functions that open the same data again. */
export interface OpenedStorage {
  readonly storage: Storage;
  /** Opens another handle on the same data, as a second process would. Absent if the storage allows only one process. */
  sibling?(): Promise<Storage>;
  /** Opens the same data again after `storage` was closed. Absent if the storage loses its data when it is closed. */
  reopen?(): Promise<Storage>;
  /** Removes everything that the test has created. Called last, after the storage was closed. */
  close?(): Promise<void>;
}

/** Returns the storage under test. All test cases share this storage. */
export type Opened = () => OpenedStorage;
