import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { LEFT_OUT } from '../../kernel/operation/bounded-lists.ts';
import { refuseInput } from '../../kernel/operation/input.ts';
import type { ReplyContext } from '../../kernel/operation/operation.ts';
import type { Builder } from '../../kernel/roles.ts';
import { recordTypeOf } from '../../kernel/text/readable.ts';
import { echoName } from '../../kernel/text/safe-echo.ts';
import { latestDocument } from '../contract/rules.ts';
import { BuilderRole, LogHead } from '../fields.ts';
import { listed, PAGE_INPUT } from '../listing.ts';
import { defineOperation } from '../operation.ts';
import type { SessionState } from '../state.ts';
import {
  contextDocuments,
  contextSeqs,
  evidenceOfRequirement,
  evidenceOfTest,
  type Named,
  RecordContext,
  viewContext,
} from './record-context.ts';
import {
  type ContractItem,
  contractItems,
  KNOWN_IDS,
  RECORD_TYPES,
  type RecordType,
  recordsOf,
} from './record-types.ts';

interface Asked {
  readonly type?: RecordType | undefined;
  readonly id?: string | undefined;
  readonly after?: number | undefined;
  readonly side?: Builder | undefined;
}

/**
 * Lists all records of a type, also the records that `view` leaves out. If the caller gives an id, shows that record in
 * full.
 */
export const records = defineOperation({
  name: 'records',
  summary:
    'List the records of one type in order, in pages; with an id, show one record in full, with its evidence and context.',
  access: { owner: true },
  input: z.strictObject({
    type: z
      .enum(RECORD_TYPES)
      .optional()
      .describe('The type of the records. Required for a list, and to show a moderator_review.'),
    id: z
      .string()
      .max(60)
      .optional()
      .describe(
        'Id of a record such as d_12, of a requirement, or of a task, interface, test or gate of the latest revision. For a moderator_review: the id of the reviewed revision.',
      ),
    side: BuilderRole.optional().describe('Of a list of type followup: only those of this agent.'),
    ...PAGE_INPUT,
  }),
  output: z.strictObject({
    records: z
      .array(z.record(z.string(), z.unknown()))
      .describe('The records, in the form in which the operation `view` shows them.'),
    head: LogHead,
    context: RecordContext.optional().describe('Related facts; only if id was sent.'),
    ...LEFT_OUT,
  }),
  errors: ['UNKNOWN_RECORD', 'INVALID_INPUT'],

  check: (_state, { type, id, side }) => {
    if (type === undefined && id === undefined)
      refuseInput([{ path: 'type', message: 'Must be given for a list of records; for one record give its id.' }]);
    if (side !== undefined && (type !== 'followup' || id !== undefined))
      refuseInput([{ path: 'side', message: 'Must be left out, except of a list of type followup.' }]);
  },

  reads(state, input) {
    const named = namedBy(input);
    return named ? [...(recordIn(state, named)?.seqs() ?? []), ...contextSeqs(state, named)] : [];
  },

  documents(state, input) {
    const named = namedBy(input);
    if (named) return contextDocuments(state, named);
    return input.id === undefined ? [] : latestDocument(state);
  },

  reply: (state, input, context) => ({ head: { ...state.head }, ...shownRecords(state, input, context) }),
});

function shownRecords(
  state: SessionState,
  { type, id, side, after = 0 }: Asked,
  { loaded, document }: Pick<ReplyContext, 'loaded' | 'document'>,
) {
  if (id !== undefined) {
    const named = namedBy({ type, id });
    if (!named) return itemById(state, id, document);
    const found = recordIn(state, named);
    if (!found)
      return fail(
        'UNKNOWN_RECORD',
        `There is no ${named.type} ${id} in this session. ${knownText(state, named.type)}`,
        {
          record: { ...named },
        },
      );
    return { records: [found.whole(loaded)], context: viewContext(state, named, { loaded, document }) };
  }
  if (type === undefined) return { records: [] };
  const { shown, leftOut } = listed({
    records: recordsOf(state, type).filter((record) => side === undefined || record.view().side === side),
    view: (record) => record.view(),
    idOf: (record) => record.id,
    tool: 'records',
    also: `type: "${type}"${side === undefined ? '' : ` and side: "${side}"`}`,
    after,
  });
  return { records: shown, ...leftOut };
}

/**
 * The record that an input names. Undefined if the input has no id, or if it has no type and the id does not have the
 * form of a record's id.
 */
function namedBy({ type, id }: Asked): Named | undefined {
  const known = id === undefined ? undefined : (type ?? recordTypeOf(id));
  return id !== undefined && known ? { type: known, id } : undefined;
}

const recordIn = (state: SessionState, { type, id }: Named) =>
  recordsOf(state, type).find((record) => record.id === id);

/** A sentence about which records of a type exist, such as `The session has d_1 to d_4.` */
function knownText(state: SessionState, type: RecordType): string {
  const ids = recordsOf(state, type).map(({ id }) => id);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined) return `The session has no ${type} yet.`;
  return ids.length === 1 ? `The session has only ${first}.` : `The session has ${first} to ${last}.`;
}

/** Shows a requirement of the session or a part of the latest contract, by its id. */
function itemById(state: SessionState, id: string, document: (sha256: string) => string) {
  const { latest } = state.contract;
  const requirement = state.profile.requirements.find(({ requirement_id }) => requirement_id === id);
  if (requirement)
    return {
      records: [{ ...requirement }],
      context: { type: 'requirement' as const, events: [], scenarios: evidenceOfRequirement(state, id) },
    };
  const items = latest ? contractItems(document(latest.content_hash)) : [];
  const found = items.find(({ item }) => item.id === id);
  if (!latest || !found) return refuseInput([{ path: 'id', message: unknownItemText(state, items) }]);
  const { type, item, pointer } = found;
  const contract = { revision_id: latest.revision_id, pointer };
  const scenarios = type === 'test' ? { scenarios: evidenceOfTest(state, id) } : {};
  return { records: [{ ...item }], context: { type, events: [], contract, ...scenarios } };
}

const MAX_SHOWN_IDS = 40;

function unknownItemText({ profile }: SessionState, items: readonly ContractItem[]): string {
  const ids = [...profile.requirements.map(({ requirement_id }) => requirement_id), ...items.map(({ item }) => item.id)]
    .filter((id) => typeof id === 'string')
    .map((id) => echoName(id));
  const more = ids.length > MAX_SHOWN_IDS ? `, and ${ids.length - MAX_SHOWN_IDS} more` : '';
  return `Must be the id of a record (${KNOWN_IDS}), of a requirement, or of an item of the latest revision: ${ids.slice(0, MAX_SHOWN_IDS).join(', ')}${more}.`;
}
