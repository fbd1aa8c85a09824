export { describeStorage, type OpenedStorage } from './describe-storage.ts';
