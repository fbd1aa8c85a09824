import { afterAll, beforeAll, describe } from 'vitest';
import { appendCases } from './append-cases.ts';
import { inboxCases } from './inbox-cases.ts';
import { lifeCases } from './life-cases.ts';
import type { Opened, OpenedStorage } from './opened-storage.ts';
import { ownerEventCases } from './owner-event-cases.ts';
import { presenceCases } from './presence-cases.ts';
import { raceCases } from './race-cases.ts';
import { readCases } from './read-cases.ts';
import { sharedCases } from './shared-cases.ts';
import { snapshotCases } from './snapshot-cases.ts';
import { textCases } from './text-cases.ts';
import { usageCases } from './usage-cases.ts';

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
