/** What an event says, in words for people. The words of the events of an area are beside their schemas. */
import { accessWords } from './areas/access/words.ts';
import { actionWords } from './areas/actions/words.ts';
import { approvalWords } from './areas/approvals/words.ts';
import { attachmentWords } from './areas/attachments/words.ts';
import { contractWords } from './areas/contract/words.ts';
import { decisionWords } from './areas/decisions/words.ts';
import { electionWords } from './areas/election/words.ts';
import { type Context, type EventText, headed, NAMED, type Words } from './areas/event-words.ts';
import { findingWords } from './areas/findings/words.ts';
import { followupWords } from './areas/followups/words.ts';
import { holdWords } from './areas/holds/words.ts';
import { interventionWords } from './areas/interventions/words.ts';
import { linkWords } from './areas/links/words.ts';
import { manifestWords } from './areas/manifest/words.ts';
import { preflightWords } from './areas/preflight/words.ts';
import { questionWords } from './areas/questions/words.ts';
import { quotaWords } from './areas/quotas/words.ts';
import { readinessWords } from './areas/readiness/words.ts';
import { readingWords } from './areas/reading/words.ts';
import { recommendationWords } from './areas/recommendations/words.ts';
import { reviewWords } from './areas/reviews/words.ts';
import { sessionWords } from './areas/session/words.ts';
import { turnWords } from './areas/turns/words.ts';
import { verifyWords } from './areas/verify/words.ts';
import type { Catalog, EventBody, EventName, Happened } from './client/events.ts';
import { erasureWords } from './owner/audit/erasure-words.ts';
import { peopleWords } from './people/words.ts';

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
export { turnParts } from './areas/turns/words.ts';
export { clockText, runParts } from './areas/verify/words.ts';

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
