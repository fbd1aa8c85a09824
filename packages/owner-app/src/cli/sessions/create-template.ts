import type { Json } from '../../text/read-as.ts';
import { placeholdersIn } from '../../text/templates/placeholders.ts';
import { sessionTemplate } from '../../text/templates/session-templates.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { createInput, type SessionFlags } from './create-input.ts';

/** A small example of a session. */
const EXAMPLE: Json = {
  title: 'Refunds',
  objective: 'A buyer gets the money back within a day.',
  guardrails: ['No route or event that customers use today may change or stop working.'],
  requirements: [
    {
      requirement_id: 'req-1',
      text: 'No refund is paid twice.',
      acceptance_criteria: ['Two requests with one key move the money once.'],
    },
  ],
  round_limit: 10,
  first_turn: 'agent_a',
  fixture_version: 'fixtures-1',
  environment: 'the test systems of both services',
  agents: {
    agent_a: { name: 'Shop agent', repository: 'example/shop', service: 'shop' },
    agent_b: { name: 'Bank agent', repository: 'example/bank', service: 'bank' },
  },
};

/** The file that `--template` prints: a template, or without a kind the example, with what the flags say. */
export async function templateFile(kind: true | string, flags: SessionFlags): Promise<Json> {
  const chosen = kind === true ? undefined : await sessionTemplate(kind);
  return chosen ? { ...chosen, session: createInput({ ...chosen.session }, flags) } : createInput(EXAMPLE, flags);
}

/** Maximum number of members that a refusal names. */
const MAX_LEFT = 20;

/** Refuses the session of a file in which words of a template were left. */
export function refusePlaceholders(session: Json, file: string): void {
  const left = placeholdersIn(session);
  if (left.length === 0) return;
  const lines = left.slice(0, MAX_LEFT).map(({ path, words }) => `  ${path}: ${words}`);
  const more = left.length > MAX_LEFT ? [`  and ${left.length - MAX_LEFT} more`] : [];
  const what = `${file} still has words that its template left to you. Replace them, or put them into backticks:`;
  throw new CliError(EXIT.USAGE, [what, ...lines, ...more].join('\n'));
}
