import { bullets, code, inline, lines, table } from '../markdown.ts';
import { NONE, stack } from '../wording.ts';

/** A test of the contract, as the report lists it below each requirement that the test proves. */
interface ReportedTest {
  readonly id: string;
  readonly title: string;
  /** The status of the scenario, such as `PASSED`. `not run` before the verification. */
  readonly status: string;
  /**
   * How many items of evidence each builder gave for the valid pass, and who judged the attempt. Empty if there is no
   * valid pass.
   */
  readonly evidence: string;
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
  readonly requirements: readonly {
    readonly id: string;
    readonly text: string;
    readonly isProven: boolean;
    readonly tests: readonly ReportedTest[];
  }[];
  readonly decisions: readonly { readonly id: string; readonly topic: string; readonly position: string }[];
  readonly defects: readonly {
    readonly id: string;
    readonly scenario: string;
    readonly status: string;
    readonly assignedTo: string;
    readonly settledBy: string;
  }[];
  readonly deviations: readonly { readonly scenario: string; readonly text: string }[];
  readonly overridden: readonly { readonly id: string; readonly text: string; readonly reason: string }[];
  readonly commits: readonly { readonly name: string; readonly service: string; readonly commit: string }[];
  /** Null if no revision was submitted yet. */
  readonly contract: { readonly revision: string; readonly hash: string; readonly status: string } | null;
  /** The steps that people approved, each with the names of these people. */
  readonly approvals: readonly { readonly stage: string; readonly names: readonly string[] }[];
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
  const { people, decisions, defects, deviations, overridden, commits } = facts;
  const section = (title: string, items: readonly string[]): string[] => [`## ${title}`, list(items, limit)];
  return `${stack(
    `# ${inline(short(facts.title))}`,
    facts.result,
    facts.endNote && lines(short(facts.endNote)),
    lines(facts.objective.slice(0, 2_000)),
    `From ${time(facts.createdAt)} to ${time(facts.lastAt)}, ${duration(facts)}.`,
    ...section(
      'Who took part',
      people.map(({ name, role, repository }) => {
        const where = repository && `, ${code(short(repository))}`;
        return `${inline(short(name))} (${code(role)})${where}`;
      }),
    ),
    '## Requirements and their proof',
    requirementTable(facts, limit),
    ...section(
      'Decisions that stand',
      decisions.map(({ id, topic, position }) => `${code(id)} **${inline(short(topic))}**: ${inline(short(position))}`),
    ),
    ...section(
      'Defects',
      defects.map(
        ({ id, scenario, status, assignedTo, settledBy }) =>
          `${code(id)} of ${code(scenario)}, ${status}, for ${code(assignedTo)}${settledBy && `: ${inline(short(settledBy))}`}`,
      ),
    ),
    ...section(
      'Differences from the contract that were accepted with a pass',
      deviations.map(({ scenario, text }) => `${code(scenario)}: ${inline(short(text))}`),
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

const WHAT_APPROVED: Readonly<Record<string, string>> = {
  approval: 'Contract approved',
  build: 'Build authorized',
  deployment: 'Deployment authorized',
  activation: 'Activation authorized',
};

function logSection({ contract, approvals, head, sessionId }: ReportFacts): string[] {
  const approved = contract
    ? `${code(contract.revision)} ${contract.status}, SHA-256 of its contract: ${code(contract.hash)}`
    : 'No contract was written.';
  const by = approvals.map(({ stage, names }) => `${WHAT_APPROVED[stage]} by ${inline(short(names.join(' and ')))}`);
  const place = `${head.seq}:${head.hash}`;
  return [
    '## Contract and log',
    bullets([approved, ...by, `Head of the log: ${code(place)}`]),
    `Session ${code(sessionId)}. Each event of its log contains the hash of the event before it. To check that the log is complete up to this head:`,
    `\`\`\`sh\nparley verify-log ${sessionId} --head ${place}\n\`\`\``,
  ];
}

function requirementTable({ requirements }: ReportFacts, limit: number): string {
  const rows = requirements.flatMap(({ id, text, isProven, tests }) => {
    const first = [`${code(id)} ${inline(short(text))}`, isProven ? 'proven' : 'not proven'];
    const cells = tests.map((test) => [
      `${code(test.id)} ${inline(short(test.title))}`,
      `${test.status}${test.evidence && `, ${test.evidence}`}`,
    ]);
    return cells.length === 0
      ? [[...first, 'no test', '']]
      : cells.map((cell, index) => [...(index === 0 ? first : ['', '']), ...cell]);
  });
  const shown = rows.slice(0, limit);
  const more = rows.length - shown.length;
  const whole = table(['Requirement', 'Result', 'Test', 'Verdict and evidence'], shown);
  return more > 0 ? `${whole}\n\nAnd ${more} more rows.` : whole;
}

function list(items: readonly string[], limit: number): string {
  if (items.length === 0) return NONE;
  const more = items.length - limit;
  return bullets([...items.slice(0, limit), ...(more > 0 ? [`and ${more} more`] : [])]);
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
