import { accessWords } from './areas/access/words.ts';
import { actionWords } from './areas/actions/words.ts';
import { approvalWords } from './areas/approvals/words.ts';
import { attachmentWords } from './areas/attachments/words.ts';
import { contractWords, preflightWords } from './areas/contract/words.ts';
import { type Context, type EventText, headed, NAMED, type Words } from './areas/event-words.ts';
import { findingWords, followupWords, holdWords } from './areas/findings/words.ts';
import { interventionWords, recommendationWords } from './areas/interventions/words.ts';
import { linkWords } from './areas/links/words.ts';
import { manifestWords, readinessWords } from './areas/manifest/words.ts';
import { decisionWords, electionWords, questionWords, turnWords } from './areas/planning/words.ts';
import { quotaWords } from './areas/quotas/words.ts';
import { readingWords } from './areas/reading/words.ts';
import { reviewWords } from './areas/reviews/words.ts';
import { sessionWords } from './areas/session/words.ts';
import { verifyWords } from './areas/verify/words.ts';
import type { Catalog, EventBody, EventName, Happened } from './client/calls.ts';
import type { erasureEvents } from './owner/retention.ts';
import type { peopleEvents } from './people/state.ts';

const erasureWords: Words<typeof erasureEvents> = {
  'session.erased': ({ title, session_id, exported_to, checksum }, { say }) =>
    headed(
      `${say('erases', 'erase')} ${title} (${session_id})`,
      exported_to && `Exported to ${exported_to}, SHA-256 ${checksum}.`,
    ),
  'session.not_erased': ({ title, session_id }, { say }) =>
    headed(`${say('does', 'do')} not erase ${title} (${session_id})`, 'The session had a new event after its export.'),
};

/**
 * The name and the id of a person or an account, such as `Ada (p_7kQ2mXw9Ra)`. The id alone if the event has no name.
 */
const named = (name: string | undefined, id: string): string => (name ? `${name} (${id})` : id);

const peopleWords: Words<typeof peopleEvents> = {
  'person.added': ({ name, person_id, role, same_person_as }, { say }) =>
    headed(
      `${say('adds', 'add')} ${named(name, person_id)} as ${role}`,
      same_person_as && `The same person as ${same_person_as}.`,
    ),
  'person.admitted': ({ name, person_id, role }, { say }) =>
    headed(`${say('admits', 'admit')} ${named(name, person_id)} as ${role}`),
  'person.role_changed': ({ name, person_id, role }, { say }) =>
    headed(`${say('gives', 'give')} ${named(name, person_id)} the role ${role}`),
  'person.revoked': ({ name, person_id }, { say }) => headed(`${say('revokes', 'revoke')} ${named(name, person_id)}`),
  'person.readmitted': ({ name, person_id }, { say }) =>
    headed(`${say('readmits', 'readmit')} ${named(name, person_id)}`),
  'account.added': ({ name, account_id }, { say }) =>
    headed(`${say('adds', 'add')} the account ${named(name, account_id)}`),
  'account.renamed': ({ name, account_id }, { say }) => headed(`${say('renames', 'rename')} ${account_id} to ${name}`),
  'account.limited': ({ name, account_id, limits }, { say }) => {
    const account = named(name, account_id);
    const set = Object.entries(limits).map(([limit, most]) => `${most} ${limit}`);
    return headed(
      set.length > 0
        ? `${say('limits', 'limit')} ${account} to ${set.join(', ')}`
        : `${say('removes', 'remove')} all limits of ${account}`,
    );
  },
  'account.closed': ({ name, account_id }, { say }) => headed(`${say('closes', 'close')} ${named(name, account_id)}`),
  'account.reopened': ({ name, account_id }, { say }) =>
    headed(`${say('reopens', 'reopen')} ${named(name, account_id)}`),
};

/* What an event says, in words for people. The words of the events of an area are beside their schemas. */

export {
  type EventText,
  type Evidence,
  type KnownTexts,
  NAMED,
  type Part,
  type PartTone,
  type ReadinessQuestionId,
  type Voice,
  YOU,
} from './areas/event-words.ts';
export { turnParts } from './areas/planning/words.ts';
export { clockText, runParts } from './areas/verify/words.ts';
export { type ContentType, contentTexts, type RecordText, recordTexts } from './record-texts.ts';

/** The words of all events. The compiler refuses a kind without an entry that is not silent. */
const EVENT_WORDS: Words<Catalog> = {
  ...sessionWords,
  ...accessWords,
  ...turnWords,
  ...questionWords,
  ...decisionWords,
  ...interventionWords,
  ...actionWords,
  ...electionWords,
  ...contractWords,
  ...findingWords,
  ...followupWords,
  ...holdWords,
  ...reviewWords,
  ...recommendationWords,
  ...preflightWords,
  ...approvalWords,
  ...linkWords,
  ...manifestWords,
  ...readinessWords,
  ...readingWords,
  ...attachmentWords,
  ...verifyWords,
  ...quotaWords,
  ...peopleWords,
  ...erasureWords,
};

type Describe<K extends EventName> = (body: EventBody<K>, context: Context) => EventText;
const BY_KIND: { readonly [K in EventName]?: Describe<K> } = EVENT_WORDS;

type SilentKind = { [K in EventName]: Catalog[K] extends { readonly silent: true } ? K : never }[EventName];

const SILENT: Readonly<Record<SilentKind, true>> = {
  'action.acknowledged': true,
  'action.fulfilled': true,
  'events.acknowledged': true,
  'notice.delivered': true,
  'status.reported': true,
};

/** Whether only the service itself needs events of this kind, so that no words say what happened. */
export const isSilent = (kind: EventName): boolean => Object.hasOwn(SILENT, kind);

/** What a caller gives besides the event. `say` is by default the voice of texts about others. */
export type Known = Omit<Context, 'say'> & Partial<Pick<Context, 'say'>>;

/**
 * What an event of any kind says, even if transcripts do not show this kind. An event of a later version, whose kind is
 * not known, is shown by its kind and its members.
 */
export function describeEvent<K extends EventName>({ kind, body }: Happened<K>, context: Known): EventText {
  const describe: Describe<K> | undefined = Object.hasOwn(EVENT_WORDS, kind) ? BY_KIND[kind] : undefined;
  return describe ? describe(body, { say: NAMED, ...context }) : headed(kind, memberLines(body));
}

const memberLines = (body: object): string =>
  Object.entries(body)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
