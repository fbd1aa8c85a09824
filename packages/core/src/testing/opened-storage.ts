import type { Storage } from '../kernel/storage/storage.ts';

/** A storage under test, with the means to inspect it from outside. */
export interface OpenedStorage {
  readonly storage: Storage;
  /**
   * Opens another handle on the same data, as a second process would. Absent if the storage allows one process only.
   */
  sibling?(): Promise<Storage>;
  /** Opens the same data again after `storage` was closed. Absent if the storage keeps nothing. */
  reopen?(): Promise<Storage>;
  /** Called last, after the storage was closed. */
  close?(): Promise<void>;
}

/** Access of the test cases to the storage, which is opened once for all of them. */
export type Opened = () => OpenedStorage;
