import { z } from 'zod';
import { groupBy } from '../../kernel/group-by.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { boundedLists, LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { documented } from '../../kernel/operation/documented.ts';
import { CauseView, causesOf } from '../contract/causes.ts';
import type { Revision } from '../contract/record.ts';
import { At, BuilderRole, DecisionId, RevisionId } from '../fields.ts';
import { LIST_COST, pageCall } from '../listing.ts';
import type { SessionState } from '../state.ts';
import { listRequests, REQUEST_FIELDS } from './brief-requests.ts';
import { type Pair, revisionsBetween } from './pair.ts';
import { CHANGE_KINDS } from './pieces.ts';
import type { RevisionChange } from './revision-changes.ts';
import { SectionReadView, viewSectionRead } from './schemas.ts';
import { bySchema, type Section } from './sections.ts';

const ChangeView = z.strictObject({
  kind: z.enum(CHANGE_KINDS),
  path: z
    .string()
    .describe('JSON Pointer to the place in the revision; for a removed element, to the place where it was.'),
  place: z
    .string()
    .describe('The names on the path to the place, such as "interfaces › if-release › errors › LOCKED › status".'),
  title: z
    .string()
    .optional()
    .describe(
      'The topic of a decision, or the name of another record that was added or removed; absent if `place` contains it.',
    ),
  replaces: DecisionId.optional().describe('Only for a decision: the id of the decision that it replaces.'),
  replaced_by: DecisionId.optional().describe('Only for a removed decision: the id of the decision that replaces it.'),
  words: z
    .string()
    .optional()
    .describe('Only for a long text that changed in parts: its words, with [-removed-] and {+added+} words marked.'),
  before: z
    .string()
    .nullable()
    .describe('The text or the JSON before the change, at most 100,000 characters; null if words is present.'),
  after: z.string().nullable(),
  revisions: z.array(RevisionId).describe('The revisions in which this place changed.'),
});
documented.add(ChangeView, { id: 'ContractChange' });

const ChangedSection = z.strictObject({
  ...SectionReadView.shape,
  count: z.int().describe('Number of all changes in the section, including those left out of this answer.'),
  records: z.array(
    z.strictObject({
      record: z.string().nullable().describe('Id or name of the record; null for changes outside of records.'),
      changes: z.array(ChangeView),
    }),
  ),
});
documented.add(ChangedSection, { id: 'ChangedSection' });

export const ChangesView = z.strictObject({
  revision_id: RevisionId.nullable().describe('Null if there is no revision yet.'),
  content_hash: z.string().nullable(),
  since: RevisionId.nullable().describe('The revision with which revision_id is compared; null if everything is new.'),
  since_content_hash: z.string().nullable(),
  count: z.int().describe('Number of changes in all sections.'),
  sections: z.array(ChangedSection).describe('Sections with changes, in the order of the schema.'),
  revisions: z
    .array(
      z.strictObject({
        revision_id: RevisionId,
        author: BuilderRole,
        reason: z.string(),
        created_at: At,
        causes: z
          .array(CauseView)
          .describe('The records that its author named as causes, and the findings whose answers name the revision.'),
      }),
    )
    .describe('The revisions after the revision `since`, oldest first.'),
  ...REQUEST_FIELDS,
  ...LEFT_OUT,
});
documented.add(ChangesView, { id: 'ContractChanges' });

export const NO_CHANGES = {
  revision_id: null,
  content_hash: null,
  since: null,
  since_content_hash: null,
  count: 0,
  sections: [],
  revisions: [],
  requests: [],
};

/** Number of changes in each section, in the order of the contract's schema. */
export function countsOf(changes: readonly RevisionChange[]): { section: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { section } of changes) counts.set(section, (counts.get(section) ?? 0) + 1);
  return [...counts]
    .map(([section, count]) => ({ section, count }))
    .toSorted((one, other) => bySchema(one.section, other.section));
}

interface Shown {
  readonly pair: Pair;
  /** The events with the numbers of `requestSeqs`. */
  readonly loaded: readonly LoggedEvent[];
  readonly changes: readonly RevisionChange[];
  readonly sections: readonly Section[];
  readonly after: number;
  /** The input of the call for the next page, besides `after`. */
  readonly also: string;
}

/** The changes by section and record, and the compared revisions, as many as fit into the answer. */
export function viewChanges(state: SessionState, { pair, loaded, changes, sections, after, also }: Shown) {
  const lists = boundedLists(LIST_COST);
  const requests = listRequests(lists, state, { pair, loaded });
  const shown = lists.list({
    records: changes.slice(after).map((change, index) => ({ change, place: after + index + 1 })),
    view: ({ change }) => ({ section: change.section, record: change.record, change: viewChange(change) }),
    how: (last) => pageCall('changes', last?.place ?? 0, also),
  });
  const listed = lists.list({
    records: revisionsBetween(state, pair.since, pair.revision),
    view: (revision) => viewRevision(state, revision),
    isCurrent: () => false,
    how: () => pageCall('records', 0, 'type: "revision"'),
  });
  const inSection = groupBy(shown(), ({ section }) => section);
  return {
    count: changes.length,
    sections: countsOf(changes).map(({ section, count }) => {
      const known = sections.find((one) => one.section === section);
      const records = groupBy(inSection.get(section) ?? [], ({ record }) => record);
      return {
        ...(known ? viewSectionRead(state.reading, known) : { section, read_at: null }),
        count,
        records: [...records].map(([record, ones]) => ({ record, changes: ones.map(({ change }) => change) })),
      };
    }),
    revisions: listed(),
    ...requests(),
    ...lists.leftOut(),
  };
}

const viewChange = ({ section: _, record: __, ...change }: RevisionChange): z.output<typeof ChangeView> => ({
  ...change,
  revisions: [...change.revisions],
});

const viewRevision = (state: SessionState, revision: Revision) => ({
  revision_id: revision.revision_id,
  author: revision.author,
  reason: revision.reason,
  created_at: revision.created_at,
  causes: causesOf(state, revision),
});
