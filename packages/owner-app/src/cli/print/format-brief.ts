import { readSection } from '@parley/core/reading';
import { namedText } from '../../text/agent.ts';
import { ageText, serverNow } from '../../text/ago.ts';
import type { Page } from '../../text/page.ts';
import { readingText, readSections } from '../../text/records/read-sections.ts';
import { visibleLine } from '../../text/visible.ts';
import { wrapText } from '../../text/width.ts';
import { type Members, membersOf, numberIn, recordsIn, textIn, textsIn } from '../../transcript/message.ts';
import { type NameOf, namesIn } from './agent-names.ts';
import { requirementLines } from './contract/format-contract.ts';
import { markReadLines, type ReadingPlace } from './contract/mark-read.ts';
import { answeredTexts, type CheckHelp, checkTexts, unnamedRequests } from './contract/requests.ts';
import { approverTexts } from './format-approvals.ts';
import { carriedTexts, defectText } from './format-evidence.ts';

interface BriefPlace extends ReadingPlace {
  /** Whether a prompt follows, which repeats the hash. */
  readonly isAsked?: boolean;
  readonly help?: CheckHelp | undefined;
}

/**
 * Formats a brief: what the owner should read before an approval or an authorization.
 *
 * @param view the view of the session, which contains the names of the agents and the requirements
 */
export function formatBrief(brief: Members, view: Members, page: Page, place: BriefPlace): string[] {
  const nameOf = namesIn(view);
  const unread = textIn(brief, 'stage') === 'approval' ? textsIn(brief, 'unread') : [];
  const id = textIn(brief, 'revision_id');
  const caveats = recordsIn(brief, 'open_caveats').map((caveat) => caveatText(caveat, nameOf));
  return [
    page.paint('bold', visibleLine(`Brief before the ${textIn(brief, 'stage')}: ${id}  ${textIn(brief, 'title')}`)),
    ...(place.isAsked ? [] : hashLines(brief)),
    ...missingLines(brief, nameOf, page),
    ...checkLines(brief, nameOf, page, place.help),
    ...approvalLines(membersOf(brief.approvals), page),
    ...(unread.includes('requirements') ? requirementLines(view, page) : []),
    ...(textIn(brief, 'stage') === 'approval' ? readingLines(brief, page, place) : []),
    ...part(
      'findings overridden or withdrawn',
      recordsIn(brief, 'findings_put_aside').map((finding) => putAsideText(finding, nameOf)),
      page,
    ),
    ...(isRelease(brief) && caveats.length === 0 ? [] : part('open caveats', caveats, page)),
    ...part('moderator', moderatorTexts(membersOf(brief.moderator)), page),
    ...(textIn(brief, 'stage') === 'build' ? part('answers of the agents', answerTexts(brief, nameOf), page) : []),
    ...(textIn(brief, 'stage') === 'approval' ? [] : part('gates of this stage', gateTexts(brief), page)),
    ...releaseLines(brief, nameOf, page),
    ...(unread.length === 0 ? [] : markReadLines(id, place, page)),
  ];
}

const isRelease = (brief: Members): boolean => ['deployment', 'activation'].includes(textIn(brief, 'stage'));

const hashLines = (brief: Members): string[] => [
  fact('content_hash', textIn(brief, 'content_hash') || '-'),
  ...(textIn(brief, 'manifest_sha256') === '' ? [] : [fact('manifest', textIn(brief, 'manifest_sha256'))]),
];

/** What the step lacks. */
function missingLines(brief: Members, nameOf: NameOf, page: Page): string[] {
  const missing = textsIn(brief, 'missing').map((text) => namedText(text, nameOf));
  return part('missing', missing, page, noneMissingText(brief));
}

function noneMissingText(brief: Members): string {
  if (unnamedRequests(brief).length > 0) return 'nothing; read "check before the approval" first';
  if (recordsIn(brief, 'gates').length === 0) return 'nothing: you can take this step';
  return 'nothing that Parley checks. It does not check the conditions below "gates of this stage": read them first';
}

const NO_HELP: CheckHelp = { contract: {}, messages: [] };

/** The requests to compare with the contract before the approval. */
function checkLines(brief: Members, nameOf: NameOf, page: Page, help: CheckHelp = NO_HELP): string[] {
  const unnamed = checkTexts(brief, help, nameOf);
  return unnamed.length === 0 ? [] : part('check before the approval', unnamed, page).slice(1);
}

/** The approvals of a step that needs at least two approvers. Empty for any other step. */
function approvalLines(approvals: Members, page: Page): string[] {
  const required = numberIn(approvals, 'required');
  if (required < 2) return [];
  return part(`approvals, ${recordsIn(approvals, 'given').length} of ${required}`, approverTexts(approvals), page);
}

function readingLines(brief: Members, page: Page, place: BriefPlace): string[] {
  const added = recordsIn(brief, 'decisions_added');
  const shown = new Set(added.map((decision) => textIn(decision, 'supersedes')));
  const replaced = recordsIn(brief, 'decisions_superseded').filter((one) => !shown.has(textIn(one, 'decision_id')));
  const reading = membersOf(brief.reading);
  return [
    ...requestLines(brief, page),
    ...part('your reading', [readText(numberIn(reading, 'of'), numberIn(reading, 'read'), place)], page),
    ...changedLines(brief, page),
    ...part('decisions added', added.flatMap(decisionTexts), page),
    ...(replaced.length === 0 ? [] : part('decisions replaced', replaced.map(supersededText), page)),
  ];
}

const readText = (of: number, read: number, { program, sessionId }: ReadingPlace): string =>
  `${readingText(of, read)}${read < of ? `; to print the others: ${program} plan ${sessionId} --unread` : ''}`;

/**
 * The changed sections of the contract, each marked if the owner has not read the section, and then the unchanged
 * sections that the owner has not read.
 */
function changedLines(brief: Members, page: Page): string[] {
  const unread = readSections(textsIn(brief, 'unread'));
  const changes = recordsIn(brief, 'changes');
  const changed = readSections(changes.map((section) => textIn(section, 'section')));
  const others = unread.filter((section) => !changed.includes(section));
  const title = `changed since ${textIn(brief, 'since') || 'the beginning'}`;
  return [
    ...part(
      title,
      changed.map((section) => changeText(section, changes, unread)),
      page,
    ),
    ...(others.length === 0 ? [] : part(unreadTitle(textIn(brief, 'since')), [others.join(', ')], page)),
  ];
}

const unreadTitle = (since: string): string =>
  since === '' ? 'not read' : `unchanged, but not read in ${since} either`;

function requestLines(brief: Members, page: Page): string[] {
  const requests = recordsIn(brief, 'requests');
  if (requests.length === 0) return [];
  return part('your requests for changes', requests.flatMap(answeredTexts), page);
}

function releaseLines(brief: Members, nameOf: NameOf, page: Page): string[] {
  const stage = textIn(brief, 'stage');
  if (!isRelease(brief)) return [];
  const reassigned = textsIn(brief, 'defects_reassigned');
  return [
    ...part(
      'commits',
      recordsIn(brief, 'handshakes').map((handshake) => commitText(handshake, nameOf)),
      page,
    ),
    ...part(
      'deviations in passed scenarios',
      recordsIn(brief, 'deviations').flatMap((pass) => deviationTexts(pass, nameOf)),
      page,
    ),
    ...part('passes carried over from other commits', carriedTexts(brief, nameOf), page),
    ...part(
      'defects',
      recordsIn(brief, 'defects').map((defect) => defectText(defect, reassigned, nameOf)),
      page,
    ),
    ...(stage === 'activation' ? part('reports on the gates', reportTexts(brief, nameOf), page) : []),
  ];
}

const fact = (label: string, value: string): string => `${label}  ${visibleLine(value)}`;

function part(title: string, texts: readonly string[], { columns, paint }: Page, none = 'none'): string[] {
  const lines = (texts.length === 0 ? [none] : texts).flatMap((text) =>
    wrapText(visibleLine(text), columns - 2).map((line) => `  ${line}`),
  );
  return ['', paint(['bold', 'cyan'], title), ...lines];
}

function changeText(section: string, changes: readonly Members[], unread: readonly string[]): string {
  const together = changes.filter((change) => readSection(textIn(change, 'section')) === section);
  const count = together.reduce((sum, change) => sum + numberIn(change, 'count'), 0);
  return `${section}  ${count}${unread.includes(section) ? ', not read' : ''}`;
}

/**
 * Formats a decision. Adds the differences from the superseded position, if the brief contains these differences.
 * Otherwise adds the position of the decision, if the brief contains it.
 */
const decisionTexts = (decision: Members): string[] => {
  const replaced = textIn(decision, 'supersedes');
  const instead = replaced === '' ? '' : ` (instead of ${replaced})`;
  const rule = textIn(decision, 'changes') || textIn(decision, 'position');
  const head = `${textIn(decision, 'decision_id')} ${textIn(decision, 'status')}  ${textIn(decision, 'topic')}${instead}`;
  return [head, ...(rule === '' ? [] : [`→ ${rule}`])];
};

const supersededText = (decision: Members): string =>
  `${textIn(decision, 'decision_id')} is replaced by ${textIn(decision, 'superseded_by')}  ${textIn(decision, 'topic')}`;

const putAsideText = (finding: Members, nameOf: NameOf): string => {
  const [reason, text] = [textIn(finding, 'reason'), textIn(finding, 'text')];
  const by = finding.by === finding.raised_by ? '' : ` by ${nameOf(textIn(finding, 'by'))}`;
  const ended = `${textIn(finding, 'status')}${by}${reason && ` (reason: ${reason})`}`;
  return `${textIn(finding, 'finding_id')} of ${nameOf(textIn(finding, 'raised_by'))}, ${ended}${text && `: ${text}`}`;
};

const caveatText = (caveat: Members, nameOf: NameOf): string =>
  `${textIn(caveat, 'finding_id')} of ${nameOf(textIn(caveat, 'by'))}: ${textIn(caveat, 'text')}`;

function moderatorTexts(moderator: Members): string[] {
  const review = membersOf(moderator.review);
  const last = membersOf(moderator.last_advice);
  const awaited = textIn(moderator, 'awaited_since');
  const verdict = textIn(review, 'verdict');
  const advice = textIn(last, 'recommendation');
  return [
    ...(moderator.takes_part === true ? [] : ['no moderator takes part']),
    ...(verdict === '' ? [] : [`review of ${textIn(review, 'revision_id')}: ${verdict}. ${textIn(review, 'summary')}`]),
    ...(advice === '' ? [] : [`${textIn(last, 'recommendation_id')} ${advice}: ${textIn(last, 'text')}`]),
    ...(awaited === ''
      ? []
      : [`no advice on this step yet; the step has been possible for ${ageText(awaited, serverNow())}`]),
  ];
}

const answerTexts = (brief: Members, nameOf: NameOf): string[] =>
  recordsIn(brief, 'readiness').flatMap((report) =>
    recordsIn(report, 'answers').map((answer) => {
      const finding = textIn(answer, 'finding_id');
      return `${nameOf(textIn(report, 'by'))} ${textIn(answer, 'question_id')} ${textIn(answer, 'check')}${finding && ` (${finding})`}: ${textIn(answer, 'text')} → ${textIn(answer, 'answer')}`;
    }),
  );

const gateTexts = (brief: Members): string[] =>
  recordsIn(brief, 'gates').map(
    (gate) => `${textIn(gate, 'id')}  ${textIn(gate, 'title')}: ${textIn(gate, 'condition')}`,
  );

const commitText = (handshake: Members, nameOf: NameOf): string =>
  `${nameOf(textIn(handshake, 'by'))}  ${textIn(handshake, 'commit')}  ${textIn(handshake, 'service')} ${textIn(handshake, 'version')} in ${textIn(handshake, 'environment')}`;

const deviationTexts = (pass: Members, nameOf: NameOf): string[] =>
  textsIn(pass, 'deviations').map(
    (text) =>
      `${textIn(pass, 'scenario_id')}/${numberIn(pass, 'attempt')}, judged by ${nameOf(textIn(pass, 'by'))}: ${text}`,
  );

const reportTexts = (brief: Members, nameOf: NameOf): string[] =>
  recordsIn(brief, 'gate_reports').map((report) => {
    const said =
      report.reported === true ? textIn(report, 'note') || 'reported without a note' : 'has not reported yet';
    return `${nameOf(textIn(report, 'role'))}: ${said}`;
  });
