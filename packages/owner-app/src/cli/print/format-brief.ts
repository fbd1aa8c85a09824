import type { Answer } from '@parley/core/client';
import { parseOrNull } from '@parley/core/json';
import { readSection } from '@parley/core/reading';
import { plural } from '@parley/core/text';
import { namedText } from '../../text/agent.ts';
import { changeHead, inlineValues, isJson, readingText, readSections } from '../../text/contract-reading.ts';
import { indented, type Page } from '../../text/page.ts';
import { LEVEL_TEXTS } from '../../text/record-words.ts';
import { outlineLines, wrapText } from '../../text/table.ts';
import { ageText, serverNow } from '../../text/time.ts';
import { visible, visibleLine } from '../../text/visible.ts';
import { createIdIndex, type KnownRecords } from '../../transcript/message.ts';
import { block, listBlock } from './answer.ts';
import { requestTexts } from './contract/contract-answer.ts';
import { ordered, requirementLines } from './contract/format-contract.ts';
import { carriedTexts, defectText } from './format-board.ts';
import { approverTexts, type NameOf, namesIn } from './names.ts';
import { markReadLines, type ReadingPlace } from './next-step.ts';

type Brief = Answer<'brief'>;

interface BriefPlace extends ReadingPlace {
  /** Whether a prompt follows, which repeats the hash. */
  readonly isAsked?: boolean;
}

/**
 * Formats a brief: what the owner should read before an approval or an authorization.
 *
 * @param view the view of the session, which contains the names of the agents and the requirements. Undefined if it could
 * not be read
 */
export function formatBrief(brief: Brief, view: Answer<'view'> | undefined, page: Page, place: BriefPlace): string[] {
  const nameOf = namesIn(view);
  const { stage } = brief;
  const id = brief.revision_id ?? '';
  const isApproval = stage === 'approval';
  const unread = isApproval ? brief.unread : [];
  const caveats = brief.open_caveats.map(({ finding_id, by, text }) => `${finding_id} of ${nameOf(by)}: ${text ?? ''}`);
  return [
    page.paint('bold', visibleLine(`Brief before the ${stage}: ${id}  ${brief.title ?? ''}`)),
    ...(place.isAsked ? [] : hashLines(brief)),
    ...missingLines(brief, nameOf, page),
    ...approvalLines(brief, page),
    ...(unread.includes('requirements') ? requirementLines(view, page) : []),
    ...(isApproval ? readingLines(brief, page, place) : []),
    ...agendaLines(brief, page),
    ...part('findings overridden or withdrawn', putAsideTexts(brief, nameOf), page),
    ...(isRelease(brief) && caveats.length === 0 ? [] : part('open caveats', caveats, page)),
    ...part('moderator', moderatorTexts(brief), page),
    ...(stage === 'build' ? part('answers of the agents', answerTexts(brief, nameOf), page) : []),
    ...(isApproval ? [] : part('gates of this stage', gateTexts(brief), page)),
    ...releaseLines(brief, nameOf, page),
    ...(unread.length === 0 ? [] : markReadLines(id, place, page)),
  ];
}

/** What of the owner's agenda is open. Empty if nothing is. */
function agendaLines({ agenda_open: open }: Brief, page: Page): string[] {
  const topics = (open?.topics ?? []).map((topic) => `not decided: ${topic}`);
  const scenarios = (open?.scenarios ?? []).map((id) => `not in the contract: scenario ${id}`);
  return listBlock('open on your agenda', [...topics, ...scenarios], page);
}

const isRelease = ({ stage }: Brief): boolean => stage !== 'approval' && stage !== 'build';

const hashLines = ({ content_hash, manifest_sha256 }: Brief): string[] => [
  `content_hash  ${content_hash ?? '-'}`,
  ...(manifest_sha256 === null ? [] : [`manifest  ${manifest_sha256}`]),
];

/** What the step lacks. */
function missingLines(brief: Brief, nameOf: NameOf, page: Page): string[] {
  const missing = brief.missing.map((text) => namedText(text, nameOf));
  return part('missing', missing, page, noneMissingText(brief));
}

function noneMissingText(brief: Brief): string {
  if (brief.gates.length === 0) return 'nothing: you can take this step';
  return 'nothing that Parley checks. Of the "gates of this stage" below it checks only that runs met those that demand one: read the conditions first';
}

/** The approvals of a step that needs at least two approvers. Empty for any other step. */
const approvalLines = ({ approvals }: Brief, page: Page): string[] =>
  approvals.required < 2
    ? []
    : part(`approvals, ${approvals.given.length} of ${approvals.required}`, approverTexts(approvals), page);

function readingLines(brief: Brief, page: Page, place: BriefPlace): string[] {
  const added = brief.decisions_added;
  const shown = new Set(added.map(({ supersedes }) => supersedes));
  const replaced = brief.decisions_superseded
    .filter(({ decision_id }) => !shown.has(decision_id))
    .map(({ decision_id, superseded_by, topic }) => `${decision_id} is replaced by ${superseded_by}  ${topic}`);
  return [
    ...listBlock('your requests for changes', brief.requests.flatMap(requestTexts), page),
    ...part('your reading', [readText(brief, place)], page),
    ...changedLines(brief, page),
    ...part('decisions added', added.flatMap(decisionTexts), page),
    ...listBlock('decisions replaced', replaced, page),
  ];
}

const readText = ({ reading: { of, read } }: Brief, { program, sessionId }: ReadingPlace): string =>
  `${readingText(of, read)}${read < of ? `; to print the others: ${program} plan ${sessionId} --unread` : ''}`;

/**
 * The changed sections of the contract, each marked if the owner has not read the section, and then the unchanged
 * sections that the owner has not read.
 */
function changedLines({ since, unread, changes }: Brief, page: Page): string[] {
  const unreadSections = readSections(unread);
  const changed = readSections(changes.map(({ section }) => section));
  const others = unreadSections.filter((section) => !changed.includes(section));
  const texts = changed.map((section) => {
    const together = changes.filter((change) => readSection(change.section) === section);
    const count = together.reduce((sum, change) => sum + change.count, 0);
    return `${section}  ${count}${unreadSections.includes(section) ? ', not read' : ''}`;
  });
  const unreadTitle = since === null ? 'not read' : `unchanged, but not read in ${since} either`;
  return [
    ...part(`changed since ${since ?? 'the beginning'}`, texts, page),
    ...listBlock(unreadTitle, others.length === 0 ? [] : [others.join(', ')], page),
  ];
}

function releaseLines(brief: Brief, nameOf: NameOf, page: Page): string[] {
  if (!isRelease(brief)) return [];
  const defects = brief.defects.map((defect) => defectText(defect, brief.defects_reassigned, nameOf));
  return [
    ...part('commits', commitTexts(brief, nameOf), page),
    ...part('what each pass rests on', levelTexts(brief), page),
    ...part('deviations in passed scenarios', deviationTexts(brief, nameOf), page),
    ...part('passes carried over from other commits', carriedTexts(brief, nameOf), page),
    ...part('defects', defects, page),
    ...(brief.stage === 'activation' ? part('reports on the gates', reportTexts(brief, nameOf), page) : []),
  ];
}

const part = (title: string, texts: readonly string[], page: Page, none = 'none'): string[] =>
  listBlock(title, texts.length === 0 ? [none] : texts, page);

/**
 * Formats a decision. Adds the differences from the superseded position, if the brief contains these differences.
 * Otherwise adds the position of the decision, if the brief contains it.
 */
function decisionTexts(decision: Brief['decisions_added'][number]): string[] {
  const { decision_id, status, topic, supersedes, changes, position } = decision;
  const instead = supersedes === null ? '' : ` (instead of ${supersedes})`;
  const rule = changes || position;
  return [`${decision_id} ${status}  ${topic}${instead}`, ...(rule ? [`→ ${rule}`] : [])];
}

const putAsideTexts = (brief: Brief, nameOf: NameOf): string[] =>
  brief.findings_put_aside.map(({ finding_id, status, raised_by, by, reason, text }) => {
    const ender = by === raised_by ? '' : ` by ${nameOf(by)}`;
    const why = reason ? ` (reason: ${reason})` : '';
    return `${finding_id} of ${nameOf(raised_by)}, ${status}${ender}${why}${text ? `: ${text}` : ''}`;
  });

function moderatorTexts({ moderator: { takes_part, review, last_advice: advice, awaited_since } }: Brief): string[] {
  return [
    ...(takes_part ? [] : ['no moderator takes part']),
    ...(review ? [`review of ${review.revision_id}: ${review.verdict}. ${review.summary}`] : []),
    ...(advice ? [`${advice.recommendation_id} ${advice.recommendation}: ${advice.text ?? ''}`] : []),
    ...(awaited_since === null
      ? []
      : [`no advice on this step yet; the step has been possible for ${ageText(awaited_since, serverNow())}`]),
  ];
}

const answerTexts = (brief: Brief, nameOf: NameOf): string[] =>
  brief.readiness.flatMap(({ by, answers }) =>
    answers.map(
      ({ question_id, check, finding_id, text, answer }) =>
        `${nameOf(by)} ${question_id} ${check}${finding_id ? ` (${finding_id})` : ''}: ${text} → ${answer}`,
    ),
  );

const gateTexts = ({ gates }: Brief): string[] =>
  gates.map(({ id, title, condition, level, standing }) => {
    const met = level ? LEVEL_TEXTS[level] : standing && `missing ${standing.missing.join('; ')}`;
    return `${id}  ${title}: ${condition}${met ? ` (${met})` : ''}`;
  });

const commitTexts = (brief: Brief, nameOf: NameOf): string[] =>
  brief.handshakes.map(
    ({ by, commit, service, version, environment }) =>
      `${nameOf(by)}  ${commit}  ${service} ${version} in ${environment}`,
  );

const levelTexts = ({ levels }: Brief): string[] =>
  levels.map(({ scenario_id, level }) => `${scenario_id}  ${LEVEL_TEXTS[level]}`);

const deviationTexts = (brief: Brief, nameOf: NameOf): string[] =>
  brief.deviations.flatMap(({ scenario_id, attempt, by, deviations }) =>
    deviations.map((text) => `${scenario_id}/${attempt}, judged by ${nameOf(by)}: ${text}`),
  );

const reportTexts = (brief: Brief, nameOf: NameOf): string[] =>
  brief.gate_reports.map(({ role, reported, note }) => {
    const said = reported ? note || 'reported without a note' : 'has not reported yet';
    return `${nameOf(role)}: ${said}`;
  });

type Changes = Answer<'changes'>;
type Section = Changes['sections'][number];
type Change = Section['records'][number]['changes'][number];
type Cause = Changes['revisions'][number]['causes'][number];

const SIGNS = { ADDED: '+', REMOVED: '-', CHANGED: '~' } as const;

interface ChangesPlace extends ReadingPlace {
  /** Whether the person named the revision to compare with. Then changes that the owner has read are printed too. */
  readonly isSinceGiven: boolean;
  /** The view of the session, which contains the texts of the findings and the topics of the decisions. */
  readonly view?: KnownRecords | undefined;
}

/**
 * Formats the changes of a contract since the owner last read the contract, by section. If the owner has read all
 * changes, says so and names the command that prints the changes again.
 */
export function formatChanges(changes: Changes, page: Page, place: ChangesPlace): string[] {
  const { revision_id: id, since, count } = changes;
  if (id === null) return ['There is no revision yet.'];
  const sections = readTogether(changes.sections);
  const isRead = sections.every(isReadSection);
  if (isRead && !place.isSinceGiven) return [...readLines(id, since, place, page), ...requestLines(changes, page)];
  const head =
    since === null ? `${id}: you have read no revision yet, so everything is new` : `${id} compared with ${since}`;
  const nameOf = nameOnce(place.view);
  return [
    page.paint('bold', `${head} (${plural(count, 'change')})`),
    ...changes.revisions.flatMap((revision) => revisionLines(revision, nameOf, page)),
    ...requestLines(changes, page),
    ...sections.flatMap((section) => sectionLines(section, page)),
    ...(isRead ? [] : markReadLines(id, place, page)),
  ];
}

/** The changed sections as the owner reads them: members of the contract that are read together are one section. */
const readTogether = (changed: readonly Section[]): Section[] =>
  readSections(changed.map(({ section }) => section)).map((section) => {
    const members = changed.filter((one) => readSection(one.section) === section);
    return {
      section,
      read_at: members.some(({ read_at }) => read_at === null) ? null : (members[0]?.read_at ?? null),
      count: members.reduce((sum, one) => sum + one.count, 0),
      records: members.flatMap(({ records }) => records),
    };
  });

const isReadSection = ({ read_at }: Section): boolean => read_at !== null;

/** The line that says that nothing changed since the owner read the revision, and the command that prints the changes again. */
function readLines(id: string, since: string | null, { program, sessionId }: ReadingPlace, { paint }: Page): string[] {
  const again = since === null ? `plan ${sessionId}` : `changes ${sessionId} --since ${since}`;
  return [
    paint('bold', `Nothing changed since ${id}, which you have read.`),
    paint('dim', `To read ${since === null ? id : `the changes since ${since}`} again: ${program} ${again}`),
  ];
}

/** The owner's requests for changes, and what followed each of them. */
const requestLines = ({ requests }: Changes, page: Page): string[] =>
  listBlock('your requests for changes', requests.flatMap(requestTexts), page);

function revisionLines(
  { revision_id, reason, causes }: Changes['revisions'][number],
  nameOf: NameOfChange,
  { columns, paint }: Page,
): string[] {
  const about = causesText(causes, nameOf);
  const text = `${revision_id}  ${reason}${about && ` (because of ${about})`}`;
  return wrapText(visibleLine(text), columns).map((line) => paint('dim', line));
}

function sectionLines(section: Section, page: Page): string[] {
  const read = isReadSection(section) ? 'read' : 'not read';
  const lines = section.records.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change, page)));
  return block(`${section.section} (${plural(section.count, 'change')}, ${read})`, lines, page);
}

function changeLines({ before, after, ...facts }: Change, page: Page): string[] {
  const { kind, revisions, words = '' } = facts;
  // An empty text before or after a change is shown as no text.
  const change = { ...facts, before: before || null, after: after || null };
  const changed = revisions.length === 0 ? '' : `  [${revisions.join(', ')}]`;
  const [head, inline] = [changeHead(change), inlineValues(change) ?? wholeText(change)];
  return [
    ...wrapped(visibleLine(`${SIGNS[kind] ?? kind} ${inline ? `${head}: ${inline}` : head}${changed}`), page, '  '),
    ...textLines(words, page),
    ...(inline === undefined ? valueLines(change, page) : []),
  ];
}

/** An added or removed text on one line, of any length. Undefined for the text of a decision and for any other change. */
function wholeText({ kind, title, before, after }: Change): string | undefined {
  const text = after ?? before;
  if (kind === 'CHANGED' || title !== undefined || !text || isJson(text)) return undefined;
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * The values of a change below its line: all members of an added record, because the record is now part of the contract,
 * and otherwise the values before and after the change. The title in the line is enough for a removed record.
 */
function valueLines({ kind, title, before, after }: Change, page: Page): string[] {
  if (kind === 'CHANGED' || !isJson(after ?? before))
    return [...signed('-', before, page), ...signed('+', after, page)];
  const record = kind === 'REMOVED' && title !== undefined ? null : parseOrNull(after ?? before ?? '');
  return record === null ? [] : outlineLines(ordered(record), indented(page, 6)).map((line) => `      ${line}`);
}

const signed = (sign: string, text: string | null, page: Page): string[] =>
  text ? textLines(`${sign} ${text}`, page) : [];

const textLines = (text: string, page: Page): string[] =>
  (text === '' ? [] : visible(text).split('\n')).flatMap((line) => wrapped(line, page, '      '));

const wrapped = (text: string, { columns }: Page, margin: string): string[] =>
  wrapText(text, columns - margin.length).map((line) => margin + line);

/** Returns the id of a cause and, the first time, the topic of the decision or the first words of the record's text. */
type NameOfChange = (cause: Cause) => string;

function nameOnce(view: KnownRecords | undefined): NameOfChange {
  const index = createIdIndex(view);
  const named = new Set<string>();
  return ({ id, type }) => {
    if (named.has(id)) return id;
    named.add(id);
    return type === 'decision' ? index.decision(id) : index.named(id);
  };
}

const causesText = (causes: readonly Cause[], nameOf: NameOfChange): string =>
  causes.map((cause) => (cause.type === 'change_request' ? `your request #${cause.id}` : nameOf(cause))).join(', ');
