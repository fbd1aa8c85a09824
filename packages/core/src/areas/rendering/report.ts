/** The report as Markdown and as a page, from its facts to its last line: whoever changes a section sees the whole document. */

import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { plural } from '../../kernel/counted.ts';
import { firstWords } from '../../kernel/text/first-words.ts';
import { visibleLabel } from './hidden-characters.ts';
import { bullets, code, inline, lines } from './markdown.ts';
import { stack } from './wording.ts';

/** A test of the contract, as the report lists it below each requirement that the test proves. */
interface ReportedTest {
  readonly id: string;
  readonly title: string;
  /** The status of the scenario, such as `PASSED`. `not run` before the verification. */
  readonly status: string;
  /** The evidence for the valid pass, with the name of the builder that gave it. Empty if there is no valid pass. */
  readonly evidence: readonly {
    readonly by: string;
    readonly kind: string;
    readonly level: string;
    readonly claim: string;
  }[];
  /** The name of the builder that gave the verdict PASS. Empty if there is no valid pass. */
  readonly judge: string;
}

interface ReportedRequirement {
  readonly id: string;
  readonly text: string;
  readonly criteria: readonly string[];
  readonly isProven: boolean;
  readonly tests: readonly ReportedTest[];
}

interface ReportedDefect {
  readonly defect_id: string;
  readonly scenario_id: string;
  readonly status: string;
  /** The name of the builder to which the defect is assigned. */
  readonly assigned_to: string;
  /** The note of the verdict on the failed attempt. Empty if the builder that gave the verdict wrote no note. */
  readonly failure: string;
  /** The step that the owner refused because of the fault, and why. Absent if a FAIL opened the defect. */
  readonly refusal?: { readonly stage: string; readonly reason: string } | undefined;
  readonly fix: { readonly note: string; readonly commit: string } | null;
  readonly waiver_reason: string | null;
  /** How the owner reassigned the defect. `to` is a name; `reason` is empty if the owner gave none. */
  readonly reassigned: readonly { readonly to: string; readonly reason: string }[];
}

/** A pass that counts without a rerun for other commits. `attempt` is such as `test-reserve/1`, `by` is a name. */
interface ReportedCarry {
  readonly attempt: string;
  readonly by: string;
  readonly reason: string;
  /** What differs, for each builder with another commit. `by` is the name of the builder that declared it. */
  readonly changes: readonly {
    readonly by: string;
    readonly since: string;
    readonly to: string;
    readonly paths: number;
  }[];
}

/** A step that people approved. */
interface ReportedApproval {
  readonly stage: string;
  readonly required: number;
  /** The name of each approver, and the time of the approval. */
  readonly given: readonly { readonly name: string; readonly at: string }[];
}

/** A record in a list of the report, with what others answered. */
export interface ReportedEntry {
  /** Id of the record. Absent if the record has no id. */
  readonly id?: string;
  /** The kind of the record and the names of who takes part, such as `Directive to Ada`. */
  readonly what: string;
  /** Absent if the time does not matter to the reader. */
  readonly at?: string;
  /** What its author wrote. Empty if the author wrote nothing. */
  readonly text: string;
  readonly answers?: readonly { readonly by: string; readonly text: string }[];
}

/** Open records of one kind. `name` is the plural of the kind, such as `open questions`. */
export interface ReportedLeft {
  readonly name: string;
  readonly entries: readonly ReportedEntry[];
}

/** A stage after the verification, with its gates and what the builders reported after its authorization. */
export interface ReportedStage {
  readonly stage: 'deployment' | 'activation';
  readonly isAuthorized: boolean;
  readonly gates: readonly {
    readonly id: string;
    readonly title: string;
    readonly condition: string;
    /** What met a gate that demands a run, or what is missing. Empty for other gates. */
    readonly met: string;
  }[];
  /** `note` is null if the builder has not reported, and empty if its report has no text. */
  readonly reports: readonly { readonly by: string; readonly at: string; readonly note: string | null }[];
}

/** All facts in a report. Texts of agents are unescaped. */
export interface ReportFacts {
  readonly sessionId: string;
  readonly title: string;
  readonly objective: string;
  /** A sentence that is made of codes, such as `Not finished: the session is in VERIFY.` */
  readonly result: string;
  readonly isEnded: boolean;
  /** The name of the person who ended the session. `the owner` if no name is known. */
  readonly endedBy: string;
  readonly endNote: string;
  /** The specification of which the session was made. Absent if none was named. */
  readonly source?: { readonly kind: string; readonly location: string; readonly sha256: string } | undefined;
  readonly createdAt: string;
  readonly lastAt: string;
  /** What is not done yet. For an ended session, what was not done at its end. */
  readonly left: readonly ReportedLeft[];
  readonly guardrails: readonly string[];
  readonly people: readonly { readonly name: string; readonly role: string; readonly repository: string }[];
  readonly requirements: readonly ReportedRequirement[];
  readonly decisions: readonly {
    readonly decision_id: string;
    readonly topic: string;
    readonly position: string | null;
  }[];
  readonly defects: readonly ReportedDefect[];
  readonly deviations: readonly { readonly scenario: string; readonly text: string }[];
  /** What was noted for later, without the deviations of verdicts. */
  readonly followups: readonly {
    readonly followup_id: string;
    readonly kind: string;
    readonly side: string;
    readonly by: string;
    readonly text: string;
  }[];
  readonly carried: readonly ReportedCarry[];
  /** Directives, questions, answers, requests for changes, pauses, notes and tasks of the owner, oldest first. */
  readonly owner: readonly ReportedEntry[];
  /** Reviews, recommendations, holds and questions of the moderator. */
  readonly moderator: readonly ReportedEntry[];
  /** The rollout of the approved contract. Null if no contract is approved. */
  readonly rollout: {
    readonly steps: readonly string[];
    readonly rollback: string;
    readonly stages: readonly ReportedStage[];
  } | null;
  readonly overridden: readonly {
    readonly finding_id: string;
    readonly text: string | null;
    readonly override_reason: string | null;
  }[];
  readonly commits: readonly { readonly name: string; readonly service: string; readonly commit: string }[];
  /** Null if no revision was submitted yet. */
  readonly contract: { readonly revision: string; readonly hash: string; readonly status: string } | null;
  /** What the approved contract builds. Null if no contract is approved. */
  readonly built: {
    readonly summary: string;
    readonly inScope: readonly string[];
    readonly outOfScope: readonly string[];
  } | null;
  readonly approvals: readonly ReportedApproval[];
  readonly head: { readonly seq: number; readonly hash: string };
}

const MAX_TEXT_CHARS = 300;
/** Maximum length of a text that the reader acts on, such as a decision or a report on the gates. */
const MAX_LONG_TEXT_CHARS = 700;
/** Maximum number of entries in a list of which the newest entries are shown. */
const NEWEST = 12;

/** The end of a shortened text. */
const SHORTENED = ' …';

/** The text, shortened after a whole word. `SHORTENED` marks a shortened text. */
const short = (text: string, max = MAX_TEXT_CHARS): string => firstWords(text, max, SHORTENED);

/** The first `limit` items as a list, followed by the number of the other items. */
function list(items: readonly string[], limit: number, indent = ''): string {
  const more = items.length - limit;
  return bullets([...items.slice(0, limit), ...(more > 0 ? [`and ${more} more`] : [])], indent);
}

/**
 * The newest entries as a list, after the number of the earlier entries.
 * @param name the plural of what the entries are
 */
function newest(items: readonly string[], limit: number, name: string): string {
  const earlier = items.length - Math.min(limit, NEWEST);
  const shown = earlier > 0 ? items.slice(earlier) : items;
  return bullets([...(earlier > 0 ? [`${earlier} earlier ${name} are in the log only.`] : []), ...shown]);
}

/** An entry as an item of a list, with its answers below it. */
function entryItem({ id, what, at, text, answers = [] }: ReportedEntry): string {
  const head = [id && code(id), inline(short(what))].filter(Boolean).join(' ');
  const said = text && `: ${inline(short(text, MAX_LONG_TEXT_CHARS))}`;
  const below = answers.map(
    (answer) =>
      `\n  - ${inline(short(answer.by))}${answer.text && `: ${inline(short(answer.text, MAX_LONG_TEXT_CHARS))}`}`,
  );
  return `${head}${at ? `, ${time(at)}` : ''}${said}${below.join('')}`;
}

const time = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** A part for each requirement, with its tests and their evidence. */
function requirementSections({ requirements, contract }: ReportFacts, limit: number): string[] {
  const more = requirements.length - limit;
  const shown = new Set<string>();
  const hasContract = contract !== null;
  return [
    hasContract ? '' : 'No contract has been written, so no test can prove a requirement.',
    ...requirements
      .slice(0, limit)
      .flatMap((requirement) => requirementSection(requirement, { limit, shown, hasContract })),
    ...(more > 0 ? [`And ${more} more requirements.`] : []),
  ];
}

interface Context {
  readonly limit: number;
  /** Ids of the tests whose evidence the report has shown below an earlier requirement. */
  readonly shown: Set<string>;
  readonly hasContract: boolean;
}

function requirementSection(requirement: ReportedRequirement, context: Context): string[] {
  const { id, text, criteria, isProven, tests } = requirement;
  const accepted = criteria.map((criterion) => inline(short(criterion)));
  return [
    `### ${code(id)}: ${isProven ? 'proven' : 'not proven'}`,
    lines(short(text)),
    ...(accepted.length === 0 ? [] : ['Accepted if:', list(accepted, context.limit)]),
    ...testsPart(tests, context),
  ];
}

function testsPart(tests: readonly ReportedTest[], context: Context): string[] {
  if (tests.length === 0) return context.hasContract ? ['No test of the contract proves this requirement.'] : [];
  const items = tests.map((test) => testItem(test, context));
  return ['Tests:', list(items, context.limit)];
}

/** A test with its evidence. The evidence is left out if the report has shown it below an earlier requirement. */
function testItem({ id, title, status, evidence, judge }: ReportedTest, { limit, shown }: Context): string {
  const isRepeated = evidence.length > 0 && shown.has(id);
  shown.add(id);
  const judged = judge && `, judged by ${inline(short(judge))}`;
  const head = `${code(id)} ${inline(short(title))}: ${status}${judged}${isRepeated ? ', with the evidence above' : ''}`;
  const items = evidence.map(
    ({ by, kind, level, claim }) =>
      `${inline(short(by))}, ${code(kind)}, ${level}${claim && `: ${inline(short(claim))}`}`,
  );
  return isRepeated || items.length === 0 ? head : `${head}\n${list(items, limit, '  ')}`;
}

/** The rollout of the approved contract, and for each stage its gates and the reports of the builders. */
function rolloutSection({ rollout }: ReportFacts, limit: number): string[] {
  if (!rollout) return [];
  const { steps, rollback, stages } = rollout;
  const more = steps.length - limit;
  const items = steps.slice(0, limit).map((step, index) => `${index + 1}. ${inline(short(step))}`);
  return [
    '## Deployment and activation',
    steps.length > 0
      ? 'Rollout steps of the contract. Parley does not record which steps were taken: compare them with the reports of the agents.'
      : '',
    [...items, ...(more > 0 ? [`${limit + 1}. and ${more} more`] : [])].join('\n'),
    rollback && `Rollback: ${inline(short(rollback, MAX_LONG_TEXT_CHARS))}`,
    ...stages.flatMap((stage) => stagePart(stage, limit)),
  ];
}

function stagePart({ stage, isAuthorized, gates, reports }: ReportedStage, limit: number): string[] {
  const more = gates.length - limit;
  const items = [
    ...gates
      .slice(0, limit)
      .map(
        ({ id, title, condition, met }) =>
          `Gate ${code(id)} ${inline(short(title))}: ${inline(short(condition))}${met && ` (${inline(met)})`}`,
      ),
    ...(more > 0 ? [`and ${more} more gates`] : []),
    ...reports.map(reportItem),
  ];
  const heading = `### ${stage === 'deployment' ? 'Deployment' : 'Activation'}: ${isAuthorized ? 'authorized' : 'not authorized'}`;
  return [heading, bullets(items)];
}

function reportItem({ by, at, note }: ReportedStage['reports'][number]): string {
  const name = inline(short(by));
  if (note === null) return `No report of ${name}`;
  return `Report of ${name}, ${time(at)}${note ? `: ${inline(short(note, MAX_LONG_TEXT_CHARS))}` : ', without a text'}`;
}

/**
 * Maximum number of items in each list of the report. If the report becomes too long, it is made again with the next
 * lower maximum.
 */
const ITEM_LIMITS = [100, 20, 5] as const;
/** Maximum length of a report. Escaping invisible characters can make a text ten times as long. */
const MAX_REPORT_CHARS = 200_000;

/** The report about a session as Markdown, for a reader who has not followed the session. */
export function reportMarkdown(facts: ReportFacts): string {
  for (const limit of ITEM_LIMITS) {
    const text = reportWith(facts, limit);
    if (text.length <= MAX_REPORT_CHARS) return text;
  }
  return stack(`# ${inline(short(facts.title))}`, facts.result, ...logSection(facts, false));
}

function reportWith(facts: ReportFacts, limit: number): string {
  const { endNote, endedBy } = facts;
  const sections = recordSections(facts, limit);
  const empty = sections.filter(({ text }) => text === '').map(({ title }) => title);
  const body = stack(
    `# ${inline(short(facts.title))}`,
    [facts.result, provenText(facts)].filter(Boolean).join(' '),
    endNote && `Note of ${inline(short(endedBy))} at the end: ${lines(short(endNote, MAX_LONG_TEXT_CHARS))}`,
    `From ${time(facts.createdAt)} to ${time(facts.lastAt)}, ${duration(facts)}.`,
    ...leftSection(facts, limit),
    '## Objective',
    lines(short(facts.objective, 2_000)),
    facts.source
      ? `Made from ${inline(short(facts.source.location))} (${facts.source.kind}), SHA-256 ${code(facts.source.sha256)}.`
      : '',
    ...builtSection(facts, limit),
    ...listSection(
      'Guardrails',
      list(
        facts.guardrails.map((text) => inline(short(text))),
        limit,
      ),
    ),
    ...listSection('Who took part', list(facts.people.map(personItem), limit)),
    '## Requirements and their proof',
    ...requirementSections(facts, limit),
    ...rolloutSection(facts, limit),
    ...sections.flatMap(({ title, text }) => listSection(title, text)),
    empty.length > 0 ? `The log contains nothing for these parts of the report: ${empty.join('; ')}.` : '',
  );
  return `${stack(body, ...logSection(facts, body.includes(SHORTENED)))}\n`;
}

/** The summary and the scope of the approved contract. */
function builtSection({ built, rollout }: ReportFacts, limit: number): string[] {
  if (!built) return [];
  const isReleased = rollout?.stages.some(({ isAuthorized }) => isAuthorized) ?? false;
  const part = (name: string, texts: readonly string[]): string[] =>
    texts.length === 0
      ? []
      : [
          `${name}:`,
          list(
            texts.map((text) => inline(short(text))),
            limit,
          ),
        ];
  return [
    isReleased ? '## What was built' : '## What is to be built',
    lines(short(built.summary, 2_000)),
    ...part('In scope', built.inScope),
    ...part('Out of scope', built.outOfScope),
  ];
}

const listSection = (title: string, text: string): string[] => (text === '' ? [] : [`## ${title}`, text]);

/** The lists of records, in the order of the report. `text` is empty if the session has no such record. */
function recordSections(facts: ReportFacts, limit: number): { readonly title: string; readonly text: string }[] {
  const { decisions, deviations, followups, carried, overridden, commits, defects, owner, moderator } = facts;
  const section = (title: string, items: readonly string[], name: string) => ({
    title,
    text: items.length === 0 ? '' : newest(items, limit, name),
  });
  return [
    section('What the owner said', owner.map(entryItem), 'entries'),
    section('What the moderator said', moderator.map(entryItem), 'entries'),
    section(
      'Decisions that stand',
      decisions.map(
        ({ decision_id, topic, position }) =>
          `${code(decision_id)} **${inline(short(topic))}**: ${inline(short(position ?? '', MAX_LONG_TEXT_CHARS))}`,
      ),
      'decisions',
    ),
    section('Defects', defects.map(defectItem), 'defects'),
    section(
      'Differences from the contract that were accepted with a pass',
      deviations.map(({ scenario, text }) => `${code(scenario)}: ${inline(short(text))}`),
      'differences',
    ),
    section(
      'Noted for later',
      followups.map(
        ({ followup_id, kind, side, by, text }) =>
          `${code(followup_id)} ${kind}, for ${inline(short(side))}, noted by ${inline(short(by))}: ${inline(short(text))}`,
      ),
      'follow-ups',
    ),
    section('Passes carried over to other commits without a rerun', carried.map(carryItem), 'passes'),
    section(
      'Findings that the owner overrode',
      overridden.map(
        ({ finding_id, text, override_reason }) =>
          `${code(finding_id)} ${inline(short(text ?? ''))} Reason: ${inline(short(override_reason ?? ''))}`,
      ),
      'findings',
    ),
    section(
      'Commits',
      commits.map(({ name, service, commit }) => `${inline(short(name))}: ${code(short(service))} ${code(commit)}`),
      'commits',
    ),
  ];
}

/** What is not done yet, or that nothing is open. */
function leftSection({ left, isEnded, rollout }: ReportFacts, limit: number): string[] {
  const groups = left.filter(({ entries }) => entries.length > 0);
  const text =
    groups.length === 0
      ? nothingLeft(rollout?.steps.length ?? 0)
      : groups.map(({ name, entries }) => newest(entries.map(entryItem), limit, name)).join('\n');
  return [`## ${isEnded ? 'What was left to do at the end' : 'What is left to do'}`, text];
}

/** @param steps number of the rollout steps, which the log does not record one by one */
function nothingLeft(steps: number): string {
  const nothing = 'Nothing: no question, decision, finding, hold, test, defect, task or report of an agent is open.';
  if (steps === 0) return nothing;
  return `${nothing} Whether each of the ${plural(steps, 'rollout step')} was taken, only the reports below can show.`;
}

function personItem({ name, role, repository }: ReportFacts['people'][number]): string {
  const where = repository && `, ${code(short(repository))}`;
  return `${inline(short(name))} (${code(role)})${where}`;
}

function provenText({ requirements, contract }: ReportFacts): string {
  if (contract === null) return '';
  const proven = requirements.filter(({ isProven }) => isProven).length;
  return `Proven requirements: ${proven} of ${requirements.length}.`;
}

const WHAT_APPROVED: Readonly<Record<string, string>> = {
  approval: 'Contract approved',
  build: 'Build authorized',
  deployment: 'Deployment authorized',
  activation: 'Activation authorized',
};

function logSection({ contract, approvals, head, sessionId }: ReportFacts, hasShortened: boolean): string[] {
  return [
    '## Contract and log',
    bullets([contractText(contract), ...approvals.map(approvalText)]),
    hasShortened
      ? `A text that ends with … is shortened. \`parley show ${sessionId} <id>\` prints a record in full, and \`parley transcript ${sessionId}\` all messages.`
      : '',
    `Each event in the log of the session contains the hash of the event before it. This command checks that no event up to event ${head.seq}, the last one before this report, is missing or changed:`,
    `\`\`\`sh\nparley verify-log ${sessionId} --head ${head.seq}:${head.hash}\n\`\`\``,
  ];
}

function contractText(contract: ReportFacts['contract']): string {
  if (contract === null) return 'No contract was written.';
  const status = contract.status === 'APPROVED' ? '' : `, ${contract.status}, not approved`;
  return `Contract ${code(contract.revision)}${status}, SHA-256: ${code(contract.hash)}`;
}

function approvalText({ stage, required, given }: ReportedApproval): string {
  const names = given.map(({ name, at }) => `${inline(short(name))}, ${time(at)}`).join(' and ');
  const missing = given.length < required ? ` (${given.length} of ${required} approvals)` : '';
  return `${WHAT_APPROVED[stage]} by ${names}${missing}`;
}

function carryItem({ attempt, by, reason, changes }: ReportedCarry): string {
  const declared = changes.map(
    (change) =>
      `${plural(change.paths, 'path')} changed from ${code(change.since)} to ${code(change.to)}, declared by ${inline(short(change.by))}`,
  );
  return [`${code(attempt)}, by ${inline(short(by))}: ${inline(short(reason))}`, ...declared].join('\n  - ');
}

function defectItem(defect: ReportedDefect): string {
  const { defect_id, scenario_id, status, assigned_to, failure, refusal, fix, waiver_reason, reassigned } = defect;
  return [
    `${code(defect_id)} of ${code(scenario_id)}, ${status}, assigned to ${inline(short(assigned_to))}`,
    failure && `  - Failed: ${inline(short(failure))}`,
    refusal && `  - The owner refused the ${refusal.stage}: ${inline(short(refusal.reason))}`,
    ...reassigned.map(
      ({ to, reason }) =>
        `  - Reassigned by the owner to ${inline(short(to))}${reason && `: ${inline(short(reason))}`}`,
    ),
    fix && `  - Fix in ${code(fix.commit)}: ${inline(short(fix.note))}`,
    waiver_reason && `  - Waived: ${inline(short(waiver_reason))}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function duration({ createdAt, lastAt }: ReportFacts): string {
  const minutes = Math.max(0, Math.round((Date.parse(lastAt) - Date.parse(createdAt)) / 60_000));
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor(minutes / 60) % 24;
  return [days > 0 && `${days} d`, hours > 0 && `${hours} h`, `${minutes % 60} min`].filter(Boolean).join(' ');
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
h1{line-height:1.2}h2{margin-top:2rem;border-bottom:1px solid #8888;font-size:1.2rem}
table{border-collapse:collapse;width:100%}th,td{border:1px solid #8888;padding:.3rem .5rem;text-align:left;vertical-align:top}
th{white-space:nowrap}code{font-size:.9em}pre{white-space:pre-wrap;border:1px solid #8888;padding:.5rem}
@media print{body{margin:0;max-width:none;font-size:11pt}h2{break-after:avoid}tr,li,pre{break-inside:avoid}}
@media (max-width:600px){table,thead,tbody,tr,th,td{display:block}thead{display:none}td{border-width:0 0 1px}}`;

/**
 * A report as an HTML page: a single file without scripts that loads nothing. HTML in the Markdown is escaped, and the
 * report has no links.
 * @param markdown the text that `reportMarkdown` made
 */
export function reportPage(title: string, markdown: string): string {
  const body = micromark(markdown, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => visibleLabel(text, 200).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
