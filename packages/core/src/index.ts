export { createMemoryStorage, type MemoryStorage } from './kernel/memory-storage.ts';
export { assertStorableAppend, assertStorableSession, assertStorableText } from './kernel/storable.ts';
export {
  type Append,
  type Head,
  type ListedSession,
  type Listing,
  type ListPage,
  type NewSession,
  type News,
  OutcomeUnknown,
  type RateCount,
  type Storage,
  StorageUnavailable,
  type StoredDocument,
  type StoredEvent,
} from './kernel/storage.ts';
