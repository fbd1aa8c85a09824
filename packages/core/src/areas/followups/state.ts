import { z } from 'zod';
import { emptyMap, type PersistentMap, withEntry } from '../../kernel/log/persistent-collections.ts';
import { documented, namedObject } from '../../kernel/operation/documented.ts';
import { type Builder, isBuilder, otherBuilder } from '../../kernel/roles.ts';
import type { EventOf } from '../catalog.ts';
import { ActorName, At, BuilderRole, FollowupId, RecordRef } from '../fields.ts';
import type { Slice } from '../slice.ts';
import { FOLLOWUP_KINDS } from './events.ts';

export const FollowupKind = z.enum(FOLLOWUP_KINDS).register(documented, { id: 'FollowupKind' });

/** Work for later: a fault beside the work, a deviation that was accepted, or a question. */
export const FollowupView = namedObject('Followup', {
  followup_id: FollowupId,
  kind: FollowupKind,
  side: BuilderRole.describe('In whose repository it has to be done.'),
  text: z.string(),
  by: ActorName,
  origin: RecordRef.nullable().describe(
    'The turn, attempt or action with which it was noted; null if the owner noted it.',
  ),
  noted_at: At,
});

export interface Followup extends Readonly<z.output<typeof FollowupView>> {
  /** Whether it is a deviation of a verdict, which stands only as long as the pass does. */
  readonly ofVerdict: boolean;
}

export interface Followups {
  readonly all: PersistentMap<Followup>;
}

export interface WithTests {
  readonly contract: {
    readonly outline: { readonly tests: readonly { readonly id: string; readonly responsible: Builder }[] } | null;
  };
}

export const followupsSlice: Slice<Followups, WithTests> = {
  empty: { all: emptyMap() },
  folds: {
    'followup.noted': (
      { all },
      { actor: by, at: noted_at, data: { followup_id, side, kind, text, origin = null } },
    ) => ({
      all: withEntry(all, followup_id, { followup_id, kind, side, text, by, origin, noted_at, ofVerdict: false }),
    }),
    'verdict.given': withDeviations,
  },
};

/** Adds the deviations of a verdict, so that nobody has to note them again. */
function withDeviations(
  { all }: Followups,
  { actor: by, at: noted_at, data }: EventOf<'verdict.given'>,
  { contract: { outline } }: WithTests,
): Followups {
  const { scenario_id, attempt, deviations = [] } = data;
  if (!isBuilder(by)) throw new Error(`An event contains a verdict of ${by}, who cannot give one.`);
  const side = outline?.tests.find(({ id }) => id === scenario_id)?.responsible ?? otherBuilder(by);
  const origin = { type: 'attempt', id: `${scenario_id}/${attempt}` };
  const added = deviations.reduce((before, text) => {
    const followup_id = nextId(before.size);
    const followup: Followup = { followup_id, kind: 'deviation', side, text, by, origin, noted_at, ofVerdict: true };
    return withEntry(before, followup_id, followup);
  }, all);
  return { all: added };
}

/** The id of the next record, after a number of records. */
export const nextId = (count: number): string => `fu_${count + 1}`;
