import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import type { LoggedEvent } from '../../kernel/log/event.ts';
import { keysOf, lookUp, valuesOf } from '../../kernel/log/persistent-collections.ts';
import { nameKey } from '../../kernel/name-key.ts';
import type { BoundedLists } from '../../kernel/operation/bounded-lists.ts';
import { documented, namedObject } from '../../kernel/operation/json-schema.ts';
import type { ReadDocument } from '../../kernel/operation/operation.ts';
import { BUILDERS } from '../../kernel/roles.ts';
import { sha256Hex } from '../../kernel/text/hash.ts';
import { isRecord, parseOrNull } from '../../kernel/text/json-value.ts';
import { quotedName } from '../../kernel/text/safe-echo.ts';
import { reportAction, reportedStage } from '../actions/rules.ts';
import { DECIDED_STEPS, stepsOf } from '../approvals/state.ts';
import { storedData } from '../catalog.ts';
import { contractEvents } from '../contract/events.ts';
import { isLaterRevision, namesRequest, revisionOf } from '../contract/rules.ts';
import type { Revision } from '../contract/state.ts';
import { Contract } from '../document/contract.ts';
import { At, EvidenceLevelName, MessageCursor, RevisionId } from '../fields.ts';
import { decisionEvents } from '../planning/events.ts';
import type { Decision } from '../planning/state.ts';
import { leftOutOf, termsOf } from '../profiles.ts';
import type { SessionState } from '../state.ts';
import { GateStanding, gateStandings } from '../verify/certification.ts';
import { readSection } from './location.ts';
import type { Reading, SectionRead } from './state.ts';

/** A top-level member of a contract, and the SHA-256 of its JSON. */
export interface Section {
  readonly section: string;
  readonly sha256: string;
}

const SCHEMA_ORDER = Object.keys(Contract.shape);

/** The position of a section in the contract's schema. A section that is not in the schema comes last. */
const placeOf = (section: string): number =>
  SCHEMA_ORDER.includes(section) ? SCHEMA_ORDER.indexOf(section) : SCHEMA_ORDER.length;

export const bySchema = (one: string, other: string): number => placeOf(one) - placeOf(other);

/**
 * The sections of a stored contract, in the order of the contract's schema.
 * @param text the RFC 8785 form of the contract
 */
export function sectionsOf(text: string): Section[] {
  const contract = parseOrNull(text);
  if (!isRecord(contract)) return [];
  return Object.entries(contract)
    .map(([section, value]) => ({ section, sha256: sha256Hex(JSON.stringify(value)) }))
    .toSorted((one, other) => bySchema(one.section, other.section));
}

/** The requirements of the session, which the owner reads as a section although they are not part of the contract. */
const REQUIREMENTS = 'requirements';

/**
 * The sections that the owner reads: the requirements of the session, then the sections of a stored contract. The
 * requirements never change.
 */
export function readSections({ profile }: SessionState, text: string): Section[] {
  const sections = sectionsOf(text);
  if (sections.some(({ section }) => section === REQUIREMENTS)) return sections;
  return [{ section: REQUIREMENTS, sha256: sha256Hex(JSON.stringify(profile.requirements)) }, ...sections];
}

/**
 * The sections of a revision that a brief asks the owner to read: not those that the author left out, as the profile of
 * the session allows, unless the owner has read another text there.
 */
export function sectionsToRead(state: SessionState, text: string): Section[] {
  const contract = parseOrNull(text);
  const leftOut = new Set<string>(isRecord(contract) ? leftOutOf(contract, termsOf(state)) : []);
  const isLeftOut = ({ section, sha256 }: Section): boolean =>
    leftOut.has(section) &&
    !valuesOf(state.reading)
      .flat()
      .some((read) => read.section === section && read.sha256 !== sha256);
  return readSections(state, text).filter((section) => !isLeftOut(section));
}

/** The member with which the owner reads a section. All members that are not in the schema are read together. */
const headingOf = ({ section }: Section): string =>
  section === REQUIREMENTS || SCHEMA_ORDER.includes(section) ? readSection(section) : '';

/** Number of sections as the owner reads them: sections that are read together count as one section. */
export const countHeadings = (sections: readonly Section[]): number => new Set(sections.map(headingOf)).size;

/** In the input of `markRead`, this name selects every section of a revision. */
export const ALL_SECTIONS = 'all';

/**
 * The sections that an input names, and those that the owner reads together with a named section. Refuses a name that no
 * section has.
 */
export function namedSections(sections: readonly Section[], names: readonly string[]): readonly Section[] {
  if (names.includes(ALL_SECTIONS)) return sections;
  const unknown = names.find((name) => !sections.some(({ section }) => section === name));
  if (unknown === undefined)
    return sections.filter((one) => names.includes(one.section) || names.includes(headingOf(one)));
  const known = sections.map(({ section }) => section).join(', ');
  const message = `The revision has no section ${quotedName(unknown)}. Its sections are ${known}; "${ALL_SECTIONS}" selects every section.`;
  return fail('INVALID_INPUT', message, { issues: [{ path: 'sections', message }] });
}

/**
 * The stored record of the owner's reading of this section, in this revision or in another revision in which the
 * section has the same text. Undefined if the owner has not read the text.
 */
export const readingOf = (reading: Reading, { section, sha256 }: Section): SectionRead | undefined =>
  valuesOf(reading)
    .flat()
    .findLast((read) => read.section === section && read.sha256 === sha256);

/** The given sections that are not yet stored as read for this revision. */
export function newlyRead(reading: Reading, revisionId: string, sections: readonly Section[]): readonly Section[] {
  const known = lookUp(reading, revisionId) ?? [];
  return sections.filter(({ section }) => !known.some((read) => read.section === section));
}

/** The newest earlier revision of which the owner has read a section, or that the owner has approved. Null if there is none. */
export const lastReadBefore = (reading: Reading, revisionId: string): string | null =>
  keysOf(reading)
    .filter((id) => isLaterRevision(revisionId, id))
    .reduce<string | null>((newest, id) => (newest === null || isLaterRevision(id, newest) ? id : newest), null);

/** A section of a revision, and when the owner read its current text. */
export const SectionReadView = namedObject('SectionRead', {
  section: z.string().describe('Name of the top-level member, such as interfaces.'),
  read_at: At.nullable().describe(
    'When you read the present text of the section, in this or an earlier revision; null if you have not.',
  ),
});

export const viewSectionRead = (reading: Reading, section: Section): z.output<typeof SectionReadView> => ({
  section: section.section,
  read_at: readingOf(reading, section)?.at ?? null,
});

/**
 * A revision, and the earlier revision with which it is compared. If `since` is null, the revision is compared with the
 * empty contract.
 */
export interface Pair {
  readonly since: Revision | null;
  readonly revision: Revision;
}

interface PairInput {
  readonly revision_id?: string | undefined;
  readonly since?: string | undefined;
}

/**
 * The two revisions that are compared. By default the latest revision, and the newest earlier revision that the owner has
 * approved or of which the owner has read a section. Undefined if there is no revision yet.
 * @throws ParleyError UNKNOWN_RECORD for an unknown id; INVALID_INPUT if `since` is later than the revision
 */
export function pairOf(state: SessionState, { revision_id, since }: PairInput): Pair | undefined {
  const revision = revision_id === undefined ? state.contract.latest : revisionOf(state, revision_id);
  if (!revision) return undefined;
  const sinceId = since ?? lastReadBefore(state.reading, revision.revision_id);
  if (sinceId === null) return { revision, since: null };
  const base = revisionOf(state, sinceId);
  if (isLaterRevision(sinceId, revision.revision_id)) {
    const message = `Must not be later than ${revision.revision_id}. Call diff to compare backwards.`;
    fail('INVALID_INPUT', `since: ${message}`, { issues: [{ path: 'since', message }] });
  }
  return { revision, since: base };
}

/** Like {@link pairOf}, but returns undefined where `pairOf` throws. */
export function knownPair(state: SessionState, input: PairInput): Pair | undefined {
  const { revisions } = state.contract;
  const isKnown = [input.revision_id, input.since].every((id) => id === undefined || lookUp(revisions, id));
  if (!isKnown) return undefined;
  const revisionId = input.revision_id ?? state.contract.latest?.revision_id ?? '';
  return input.since !== undefined && isLaterRevision(input.since, revisionId) ? undefined : pairOf(state, input);
}

/**
 * Consecutive revisions whose changes are compared as one step. `from` is the revision before the step, `to` is its
 * last revision.
 */
export interface Step {
  readonly from: Revision;
  readonly to: Revision;
  readonly revisions: readonly Revision[];
}

/** Maximum number of steps. If there are more revisions, the oldest revisions become one step. */
const MAX_STEPS = 20;

/** The revisions after `since` up to and including `to`, oldest first. */
export const revisionsBetween = ({ contract }: SessionState, since: Revision | null, to: Revision): Revision[] =>
  valuesOf(contract.revisions).filter(
    ({ revision_id: id }) =>
      !isLaterRevision(id, to.revision_id) && (since === null || isLaterRevision(id, since.revision_id)),
  );

/**
 * The steps from one revision to a later revision. Each step is one revision. If there are more than MAX_STEPS
 * revisions, the oldest revisions together are the first step.
 */
export function stepsBetween(state: SessionState, since: Revision, to: Revision): Step[] {
  const all = revisionsBetween(state, since, to);
  const first = all.slice(0, Math.max(0, all.length - MAX_STEPS) + 1);
  const groups = [first, ...all.slice(first.length).map((revision) => [revision])];
  let from = since;
  return groups.flatMap((revisions) => {
    const last = revisions.at(-1);
    if (!last) return [];
    const step = { from, to: last, revisions };
    from = last;
    return [step];
  });
}

/** A decision that a revision cites. The position is undefined if neither the state nor the loaded events have it. */
export interface CitedDecision {
  readonly decision_id: string;
  readonly topic: string;
  readonly position: string | undefined;
}

/** The decisions that a revision cites, by the key of their topic. */
export type CitedDecisions = ReadonlyMap<string, CitedDecision>;

const proposedAt = ({ text_seqs: [seq = 0] }: Decision): number => seq;

/**
 * Numbers of the events with the positions of closed decisions that the revisions can cite: of each topic, the newest
 * decision that was proposed before the revision.
 */
export function citedSeqs({ decisions }: SessionState, revisions: readonly (Revision | null)[]): number[] {
  const all = valuesOf(decisions.all);
  const newestAt = (seq: number): Decision[] => [
    ...new Map(all.filter((one) => proposedAt(one) < seq).map((one) => [nameKey(one.topic), one])).values(),
  ];
  const seqs = revisions.flatMap((revision) =>
    newestAt(revision?.seq ?? 0).flatMap((one) => (one.position === null ? [proposedAt(one)] : [])),
  );
  return [...new Set(seqs)];
}

/**
 * The decisions that a revision cites. Empty if the revision is null.
 * @param loaded the events of {@link citedSeqs}
 */
export function citedDecisions(
  { decisions }: SessionState,
  revision: Revision | null,
  document: ReadDocument,
  loaded: readonly LoggedEvent[],
): CitedDecisions {
  const contract = revision && parseOrNull(document(revision.content_hash));
  const ids = isRecord(contract) && Array.isArray(contract.decisions) ? contract.decisions : [];
  return new Map(
    ids.flatMap((id: unknown) => {
      const decision = typeof id === 'string' ? lookUp(decisions.all, id) : undefined;
      if (!decision) return [];
      const { decision_id, topic, position } = decision;
      return [[nameKey(topic), { decision_id, topic, position: position ?? storedPosition(decision, loaded) }]];
    }),
  );
}

function storedPosition(decision: Decision, loaded: readonly LoggedEvent[]): string | undefined {
  const event = loaded.find(({ seq }) => seq === proposedAt(decision));
  return decisionEvents['decision.proposed'].data.safeParse(event?.data).data?.position;
}

/**
 * A request of the owner for changes to the contract, and a revision that the author submitted after this request.
 */
const ChangeRequest = namedObject('ChangeRequest', {
  message_id: MessageCursor,
  requested_at: At,
  returned: RevisionId.describe('The revision that you returned to its author.'),
  text: z.string().describe('Your words.'),
  answered_by: RevisionId.nullable().describe(
    'The first revision after the request whose `causes` name the request. If none does, the first revision after the request; null if there is none yet. The revision need not fulfil the request.',
  ),
  answer: z.string().nullable().describe('What the revision `answered_by` changed, in the words of its author.'),
  is_named: z
    .boolean()
    .describe(
      'Whether the `causes` of the revision `answered_by` name the request. If not, check that the changes fulfil the request.',
    ),
});

export const REQUEST_FIELDS = {
  requests: z
    .array(ChangeRequest)
    .describe(
      'Your requests for changes after the revision `since`; your latest request is always listed. In a brief, for the approval only.',
    ),
};

/** A request for changes: the number of its event, and the revision after it that the brief shows. */
interface Asked {
  readonly seq: number;
  readonly answer: Revision | null;
}

/**
 * The owner's requests for changes that the brief shows, oldest first. These are the requests whose shown revision is
 * later than `since` or, if there are none, the latest request that a revision follows. Requests that no revision
 * follows yet come last. Requests after the revision `pair.revision` are left out.
 */
function requestsOf({ contract }: SessionState, pair: Pair | undefined): Asked[] {
  if (!pair) return [];
  const { since, revision } = pair;
  const revisions = valuesOf(contract.revisions).filter(({ seq }) => seq <= revision.seq);
  const answered = revisions.flatMap((first, index) =>
    first.request_seqs.map((seq) => ({
      seq,
      answer: revisions.slice(index).find((revision) => namesRequest(revision, seq)) ?? first,
    })),
  );
  const newer = answered.filter(({ answer }) => !since || isLaterRevision(answer.revision_id, since.revision_id));
  const open =
    revision === contract.latest ? contract.requests.map(({ message_id }) => ({ seq: message_id, answer: null })) : [];
  return [...(newer.length > 0 ? newer : answered.slice(-1)), ...open];
}

/** Numbers of the events that contain the texts of the requests. */
export const requestSeqs = (state: SessionState, pair: Pair | undefined): number[] =>
  requestsOf(state, pair).map(({ seq }) => seq);

export function listRequests(
  lists: BoundedLists,
  state: SessionState,
  { pair, loaded }: { readonly pair: Pair | undefined; readonly loaded: readonly LoggedEvent[] },
) {
  const requests = lists.list({
    records: requestsOf(state, pair),
    view: (asked) => viewRequest(asked, loaded),
    how: () => 'Call transcript with kind: "changes.requested".',
  });
  return () => ({ requests: requests() });
}

function viewRequest({ seq, answer }: Asked, loaded: readonly LoggedEvent[]): z.output<typeof ChangeRequest> {
  const { reason, revision_id } = storedData(loaded, seq, contractEvents['changes.requested']);
  return {
    message_id: seq,
    requested_at: loaded.find((event) => event.seq === seq)?.at ?? '',
    returned: revision_id,
    text: reason,
    answered_by: answer?.revision_id ?? null,
    answer: answer?.reason ?? null,
    is_named: answer !== null && namesRequest(answer, seq),
  };
}

export const BriefStage = z
  .enum(DECIDED_STEPS)
  .describe('The step: approval of the contract, or authorization of the named stage.')
  .register(documented, { id: 'BriefStage' });
export type BriefStage = z.output<typeof BriefStage>;

const BriefGate = namedObject('BriefGate', {
  ...Contract.shape.gates.element.pick({ id: true, title: true, condition: true }).shape,
  level: EvidenceLevelName.nullable().describe(
    'What met it: recorded is a run, claimed a report in words; null if nothing has.',
  ),
  standing: GateStanding.optional().describe('Of a gate that demands a run: no step is possible before one meets it.'),
});

/** The member of a brief about the gates of the contract. */
export const GATE_FIELDS = {
  gates: z
    .array(BriefGate)
    .describe(
      'The gates of the contract for this stage: what must hold before you authorize it. Empty for the approval.',
    ),
};

/**
 * Lists the gates of a stage.
 * @param text the RFC 8785 form of the contract, or null if there is no revision
 */
export function listGates(
  lists: BoundedLists,
  state: SessionState,
  { stage, text }: { readonly stage: BriefStage; readonly text: string | null },
) {
  const contract = text === null ? null : parseOrNull(text);
  const standings = new Map(gateStandings(state).map((gate) => [gate.gate_id, gate]));
  const isReported = BUILDERS.some((builder) => reportAction(state, builder)?.completed_seq !== undefined);
  const reported = isReported && reportedStage(state) === stage ? ('claimed' as const) : null;
  const all = Contract.shape.gates.safeParse(isRecord(contract) ? contract.gates : []);
  const gates = lists.list({
    records: (all.data ?? []).filter((gate) => stepsOf(stage).includes(gate.stage)),
    view: ({ id, title, condition }) => {
      const standing = standings.get(id);
      return { id, title, condition, level: standing ? standing.level : reported, ...(standing && { standing }) };
    },
    how: () => 'Call contract.',
  });
  return () => ({ gates: gates() });
}
