import { plural } from '../../../kernel/counted.ts';
import { bullets, code, inline, lines } from '../markdown.ts';
import { stack } from '../wording.ts';
import type { ReportedApproval, ReportedCarry, ReportedDefect, ReportFacts } from './facts.ts';
import { entryItem, list, MAX_LONG_TEXT_CHARS, newest, SHORTENED, short, time } from './report-text.ts';
import { requirementSections } from './requirement-sections.ts';
import { rolloutSection } from './rollout-section.ts';

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
  const { decisions, deviations, carried, overridden, commits, defects, owner, moderator } = facts;
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
