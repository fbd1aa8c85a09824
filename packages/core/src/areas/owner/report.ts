/** The report as Markdown and as a page, from its facts to its last line, and the operation that answers it. */

import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { z } from 'zod';
import { firstWords, plural } from '../../kernel/text/readable.ts';
import { type EvidenceLevel, lowestLevel } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { bullets, code, inline, lines, stack, visibleLabel } from '../rendering/markdown.ts';
import { sessionEvents } from '../session/events.ts';
import type { SessionState } from '../state.ts';
import { approvedHash, type ReportedEntry, type ReportFacts, reportFacts, reportSeqs } from './report-facts.ts';

type Requirement = ReportFacts['requirements'][number];
type Stage = NonNullable<ReportFacts['rollout']>['stages'][number];

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

function requirementSection(requirement: Requirement, context: Context): string[] {
  const { id, text, criteria, isProven, tests } = requirement;
  const accepted = criteria.map((criterion) => inline(short(criterion)));
  return [
    `### ${code(id)}: ${isProven ? 'proven' : 'not proven'}`,
    lines(short(text)),
    ...(accepted.length === 0 ? [] : ['Accepted if:', list(accepted, context.limit)]),
    ...testsPart(tests, context),
  ];
}

function testsPart(tests: readonly Requirement['tests'][number][], context: Context): string[] {
  if (tests.length === 0) return context.hasContract ? ['No test of the contract proves this requirement.'] : [];
  const items = tests.map((test) => testItem(test, context));
  return ['Tests:', list(items, context.limit)];
}

/** A test with its evidence. The evidence is left out if the report has shown it below an earlier requirement. */
function testItem(
  { id, title, status, evidence, judge }: Requirement['tests'][number],
  { limit, shown }: Context,
): string {
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

function stagePart({ stage, isAuthorized, gates, reports }: Stage, limit: number): string[] {
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

function reportItem({ by, at, note }: Stage['reports'][number]): string {
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
  const level = lowestLevel(requirements.flatMap(({ levels }) => levels));
  return `Proven requirements: ${proven} of ${requirements.length}${level ? `, ${PROVEN_BY[level]}` : ''}.`;
}

/** What the weakest evidence of the proven requirements is. */
const PROVEN_BY: Readonly<Record<EvidenceLevel, string>> = {
  claimed: 'as the agents claim',
  recorded: 'by runs that the agents sent',
  ci: 'by runs that workflows sent',
};

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

function approvalText({ stage, required, given }: ReportFacts['approvals'][number]): string {
  const names = given.map(({ name, at }) => `${inline(short(name))}, ${time(at)}`).join(' and ');
  const missing = given.length < required ? ` (${given.length} of ${required} approvals)` : '';
  return `${WHAT_APPROVED[stage]} by ${names}${missing}`;
}

function carryItem({ attempt, by, reason, changes }: ReportFacts['carried'][number]): string {
  const declared = changes.map(
    (change) =>
      `${plural(change.paths, 'path')} changed from ${code(change.since)} to ${code(change.to)}, declared by ${inline(short(change.by))}`,
  );
  return [`${code(attempt)}, by ${inline(short(by))}: ${inline(short(reason))}`, ...declared].join('\n  - ');
}

function defectItem(defect: ReportFacts['defects'][number]): string {
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

const FORMATS = ['md', 'html'] as const;

/** Reports about a session on one page, in any phase, for a reader who has not followed the session. */
export const report = defineOperation({
  name: 'report',
  summary:
    'Report on a session on one page: result, what is left, proof of each requirement, what owner and agents reported, head of the log.',
  access: { owner: true },
  input: z.strictObject({
    format: z
      .enum(FORMATS)
      .optional()
      .describe('md (the default) is Markdown; html is a complete page without scripts.'),
  }),
  output: z.strictObject({
    format: z.enum(FORMATS),
    filename: z.string(),
    text: z.string(),
  }),

  reads: (state) => [
    ...reportSeqs(state),
    ...(state.profile.status === 'ENDED' ? [state.transcript.latest.owner.seen] : []),
  ],

  documents: approvedHash,

  reply(state, { format = 'md' }, { loaded, document }) {
    const ending = loaded.find(({ kind }) => kind === 'session.ended');
    const end = sessionEvents['session.ended'].data.safeParse(ending?.data).data;
    const ended = end && { ...end, by: ending?.person?.name };
    const markdown = reportMarkdown(reportFacts(state, { ended, loaded, document }));
    const text = format === 'md' ? markdown : reportPage(state.profile.title, markdown);
    return { format, filename: `${fileStem(state)}.${format}`, text };
  },
});

/** Maximum number of characters of the title in the name of the file. */
const MAX_TITLE_CHARS = 60;

/**
 * The name of the file without its ending, such as `parley-report-cursor-pagination-2026-11-27`: the letters and digits
 * of the title, and the day of the session's last change of status, in UTC.
 */
function fileStem({ profile, times }: SessionState): string {
  const words = profile.title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const title = [...words.join('-')].slice(0, MAX_TITLE_CHARS).join('').replace(/-+$/, '');
  return ['parley-report', title, times.statusAt.slice(0, 10)].filter(Boolean).join('-');
}
