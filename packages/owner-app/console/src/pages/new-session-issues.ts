import type { SessionForm } from './new-session-form.ts';

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** The faults of a refused input, each with the field beside which it is shown. */
export interface PlacedIssues {
  /** Messages by the name of the field. */
  readonly at: ReadonlyMap<string, string>;
  /** Faults that belong to no field of the form. */
  readonly elsewhere: readonly Issue[];
  /** The first field with a fault, in the order of the page. Null if no field has a fault. */
  readonly first: string | null;
}

export const NO_ISSUES: PlacedIssues = { at: new Map(), elsewhere: [], first: null };

/** Lists the names of all fields, in the order of the page. The paths of the server's issues begin with these names. */
export const fieldNames = ({ guardrails, requirements }: SessionForm): string[] => [
  'title',
  'objective',
  'requirements',
  ...requirements.flatMap((_, index) => [
    `requirements[${index}].requirement_id`,
    `requirements[${index}].text`,
    `requirements[${index}].acceptance_criteria`,
  ]),
  'guardrails',
  ...guardrails.map((_, index) => `guardrails[${index}]`),
  ...['agent_a', 'agent_b'].flatMap((role) =>
    ['name', 'repository', 'service'].map((member) => `agents.${role}.${member}`),
  ),
  'round_limit',
  'first_turn',
  'fixture_version',
  'environment',
  'secret_policy',
  'required_approvals',
];

/** Assigns each issue to a field. If the path of an issue begins with several names, the longest name is used. */
export function placeIssues(issues: readonly Issue[], names: readonly string[]): PlacedIssues {
  const at = new Map<string, string>();
  const elsewhere: Issue[] = [];
  for (const issue of issues) {
    const name = names
      .filter(
        (known) => issue.path === known || [`${known}.`, `${known}[`].some((start) => issue.path.startsWith(start)),
      )
      .toSorted((a, b) => b.length - a.length)[0];
    if (name === undefined) elsewhere.push(issue);
    else at.set(name, [at.get(name), issue.message].filter(Boolean).join(' '));
  }
  return { at, elsewhere, first: names.find((name) => at.has(name)) ?? null };
}

export const issuesIn = (body: Readonly<Record<string, unknown>>): Issue[] =>
  (Array.isArray(body.issues) ? body.issues : []).map((issue: unknown) => {
    const { path, message }: Partial<Record<string, unknown>> = Object(issue);
    return { path: String(path ?? ''), message: String(message ?? '') };
  });
