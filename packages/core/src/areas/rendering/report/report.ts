import { bullets, code, inline, lines } from '../markdown.ts';
import { NONE, stack } from '../wording.ts';

/** A test of the contract, as the report lists it below each requirement that the test proves. */
interface ReportedTest {
  readonly id: string;
  readonly title: string;
  /** The status of the scenario, such as `PASSED`. `not run` before the verification. */
  readonly status: string;
  /** The evidence for the valid pass, with the name of the builder that gave it. Empty if there is no valid pass. */
  readonly evidence: readonly { readonly by: string; readonly kind: string; readonly claim: string }[];
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
  readonly id: string;
  readonly scenario: string;
  readonly status: string;
  /** The name of the builder to which the defect is assigned. */
  readonly assignedTo: string;
  /** The note of the verdict on the failed attempt. Empty if the builder that gave the verdict wrote no note. */
  readonly failure: string;
  readonly fix: { readonly note: string; readonly commit: string } | null;
  readonly waiverReason: string;
  /** How the owner reassigned the defect. `to` is a name; `reason` is empty if the owner gave none. */
  readonly reassigned: readonly { readonly to: string; readonly reason: string }[];
}

/** A step that people approved. */
interface ReportedApproval {
  readonly stage: string;
  readonly required: number;
  /** The name of each approver, and the time of the approval. */
  readonly given: readonly { readonly name: string; readonly at: string }[];
}

/** All facts in a report. Texts of agents are unescaped. */
export interface ReportFacts {
  readonly sessionId: string;
  readonly title: string;
  readonly objective: string;
  /** A sentence that is made of codes, such as `Not finished: the session is in VERIFY.` */
  readonly result: string;
  readonly endNote: string;
  readonly createdAt: string;
  readonly lastAt: string;
  readonly people: readonly { readonly name: string; readonly role: string; readonly repository: string }[];
  readonly requirements: readonly ReportedRequirement[];
  readonly decisions: readonly { readonly id: string; readonly topic: string; readonly position: string }[];
  readonly defects: readonly ReportedDefect[];
  readonly deviations: readonly { readonly scenario: string; readonly text: string }[];
  /** The findings that are not closed, such as caveats of approving reviews. `by` is a name. */
  readonly open: readonly { readonly id: string; readonly by: string; readonly text: string }[];
  readonly overridden: readonly { readonly id: string; readonly text: string; readonly reason: string }[];
  readonly commits: readonly { readonly name: string; readonly service: string; readonly commit: string }[];
  /** Null if no revision was submitted yet. */
  readonly contract: { readonly revision: string; readonly hash: string; readonly status: string } | null;
  readonly approvals: readonly ReportedApproval[];
  readonly head: { readonly seq: number; readonly hash: string };
}

const MAX_TEXT_CHARS = 300;
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
  return stack(`# ${inline(short(facts.title))}`, facts.result, ...logSection(facts));
}

function reportWith(facts: ReportFacts, limit: number): string {
  const { people, decisions, deviations, open, overridden, commits, endNote } = facts;
  const section = (title: string, items: readonly string[]): string[] => [`## ${title}`, list(items, limit)];
  return `${stack(
    `# ${inline(short(facts.title))}`,
    [facts.result, provenText(facts)].filter(Boolean).join(' '),
    endNote && `Note of the owner at the end: ${lines(short(endNote))}`,
    `From ${time(facts.createdAt)} to ${time(facts.lastAt)}, ${duration(facts)}.`,
    '## Objective',
    lines(facts.objective.slice(0, 2_000)),
    ...section(
      'Who took part',
      people.map(({ name, role, repository }) => {
        const where = repository && `, ${code(short(repository))}`;
        return `${inline(short(name))} (${code(role)})${where}`;
      }),
    ),
    '## Requirements and their proof',
    ...requirementSections(facts, limit),
    ...section(
      'Decisions that stand',
      decisions.map(({ id, topic, position }) => `${code(id)} **${inline(short(topic))}**: ${inline(short(position))}`),
    ),
    ...section('Defects', facts.defects.map(defectItem)),
    ...section(
      'Differences from the contract that were accepted with a pass',
      deviations.map(({ scenario, text }) => `${code(scenario)}: ${inline(short(text))}`),
    ),
    ...section(
      'Findings that are still open',
      open.map(({ id, by, text }) => `${code(id)} of ${inline(short(by))}: ${inline(short(text))}`),
    ),
    ...section(
      'Findings that the owner overrode',
      overridden.map(({ id, text, reason }) => `${code(id)} ${inline(short(text))} Reason: ${inline(short(reason))}`),
    ),
    ...section(
      'Commits',
      commits.map(({ name, service, commit }) => `${inline(short(name))}: ${code(short(service))} ${code(commit)}`),
    ),
    ...logSection(facts),
  )}\n`;
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

function logSection({ contract, approvals, head, sessionId }: ReportFacts): string[] {
  return [
    '## Contract and log',
    bullets([contractText(contract), ...approvals.map(approvalText)]),
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

function defectItem(defect: ReportedDefect): string {
  const { id, scenario, status, assignedTo, failure, fix, waiverReason, reassigned } = defect;
  return [
    `${code(id)} of ${code(scenario)}, ${status}, assigned to ${inline(short(assignedTo))}`,
    failure && `  - Failed: ${inline(short(failure))}`,
    ...reassigned.map(
      ({ to, reason }) =>
        `  - Reassigned by the owner to ${inline(short(to))}${reason && `: ${inline(short(reason))}`}`,
    ),
    fix && `  - Fix in ${code(fix.commit)}: ${inline(short(fix.note))}`,
    waiverReason && `  - Waived: ${inline(short(waiverReason))}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function requirementSections({ requirements }: ReportFacts, limit: number): string[] {
  const more = requirements.length - limit;
  const shown = new Set<string>();
  return [
    ...requirements.slice(0, limit).flatMap((requirement) => requirementSection(requirement, { limit, shown })),
    ...(more > 0 ? [`And ${more} more requirements.`] : []),
  ];
}

interface Shown {
  readonly limit: number;
  /** Ids of the tests whose evidence the report has shown below an earlier requirement. */
  readonly shown: Set<string>;
}

function requirementSection(requirement: ReportedRequirement, { limit, shown }: Shown): string[] {
  const { id, text, criteria, isProven, tests } = requirement;
  const accepted = criteria.map((criterion) => inline(short(criterion)));
  return [
    `### ${code(id)}: ${isProven ? 'proven' : 'not proven'}`,
    lines(short(text)),
    ...(accepted.length === 0 ? [] : ['Accepted if:', list(accepted, limit)]),
    ...(tests.length === 0
      ? ['No test of the contract proves this requirement.']
      : [
          'Tests:',
          list(
            tests.map((test) => testItem(test, { limit, shown })),
            limit,
          ),
        ]),
  ];
}

/** A test with its evidence. The evidence is left out if the report has shown it below an earlier requirement. */
function testItem({ id, title, status, evidence, judge }: ReportedTest, { limit, shown }: Shown): string {
  const isRepeated = evidence.length > 0 && shown.has(id);
  shown.add(id);
  const judged = judge && `, judged by ${inline(short(judge))}`;
  const head = `${code(id)} ${inline(short(title))}: ${status}${judged}${isRepeated ? ', with the evidence above' : ''}`;
  const items = evidence.map(
    ({ by, kind, claim }) => `${inline(short(by))}, ${code(kind)}${claim && `: ${inline(short(claim))}`}`,
  );
  return isRepeated || items.length === 0 ? head : `${head}\n${list(items, limit, '  ')}`;
}

function list(items: readonly string[], limit: number, indent = ''): string {
  if (items.length === 0) return NONE;
  const more = items.length - limit;
  return bullets([...items.slice(0, limit), ...(more > 0 ? [`and ${more} more`] : [])], indent);
}

function short(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${text.slice(0, MAX_TEXT_CHARS - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const time = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;

function duration({ createdAt, lastAt }: ReportFacts): string {
  const minutes = Math.max(0, Math.round((Date.parse(lastAt) - Date.parse(createdAt)) / 60_000));
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor(minutes / 60) % 24;
  return [days > 0 && `${days} d`, hours > 0 && `${hours} h`, `${minutes % 60} min`].filter(Boolean).join(' ');
}
