import { RECORD_PATH } from './contract-change.ts';

/** What happened to a part of the contract since the revision that the owner read last. */
export type News = 'new' | 'changed';

/** The changes of one section, as the operation `changes` shows them. */
export interface ChangedSection {
  readonly section: string;
  readonly count: number;
  readonly records: readonly {
    readonly record: string | null;
    readonly changes: readonly { readonly kind: string; readonly path: string }[];
  }[];
}

/** The new and the changed parts of the contract, by their ids. Removed parts are left out. */
export const newsOfParts = (changed: readonly ChangedSection[]): ReadonlyMap<string, News> =>
  new Map(
    changed.flatMap(({ records }) =>
      records.flatMap(({ record, changes }): (readonly [string, News])[] => {
        const whole = changes.find(({ path }) => RECORD_PATH.test(path));
        if (record === null || whole?.kind === 'REMOVED') return [];
        return [[record, whole?.kind === 'ADDED' ? 'new' : 'changed']];
      }),
    ),
  );
