import { afterAll, beforeAll, describe } from 'vitest';
import { appendCases, lifeCases, raceCases } from './append-cases.ts';
import { inboxCases, presenceCases } from './overview-cases.ts';
import { ownerEventCases, readCases, textCases, usageCases } from './read-cases.ts';
import type { Opened, OpenedStorage } from './samples.ts';
import { sharedCases, snapshotCases } from './shared-cases.ts';

/**
 * Tests that a storage adapter meets every guarantee of `Storage`, also under races. Call it in a vitest file.
 *
 * @param open opens a storage, which need not be empty because the tests use their own session ids. The tests close the storage
 */
export function describeStorage(name: string, open: () => Promise<OpenedStorage>): void {
  describe(name, () => {
    let opened: OpenedStorage | undefined;
    const current: Opened = () => {
      if (opened === undefined) throw new Error('the storage did not open');
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened?.storage.close();
      await opened?.close?.();
    });
    appendCases(current);
    readCases(current);
    textCases(current);
    snapshotCases(current);
    presenceCases(current);
    inboxCases(current);
    ownerEventCases(current);
    usageCases(current);
    raceCases(current);
    sharedCases(current);
    lifeCases(current);
  });
}
