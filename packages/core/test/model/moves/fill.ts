import { goodContract, mappingsFor } from '../contracts.ts';
import { type Blocker, BUILDERS, type Builder, type Seen } from '../seen.ts';
import type { Payload } from '../world.ts';

/** Ids of the RESOLVED decisions. A contract must name all of them. */
export const resolvedIn = (seen: Seen): string[] =>
  seen.view().decisions.flatMap(({ decision_id, status }) => (status === 'RESOLVED' ? [decision_id] : []));

/** Patch operations that make the latest contract valid. Each removes or sets one top-level member. */
function mendingOps(seen: Seen): Payload[] {
  const wanted = goodContract(resolvedIn(seen));
  const present = seen.plan().contract ?? {};
  const removed = Object.keys(present).filter((name) => !Object.hasOwn(wanted, name));
  return [
    ...removed.map((name) => ({ op: 'remove', path: `/${name}` })),
    ...Object.entries(wanted).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
  ];
}

const readinessAnswers = (seen: Seen, role: Builder): Payload[] =>
  seen.readiness(role).questions.map(({ question_id }) => ({ question_id, answer: 'As the contract says.' }));

/**
 * Replaces each placeholder, such as `<your reason>`, in a payload. An unknown placeholder stays, so that the service refuses the
 * call.
 */
export function fill(payload: Payload, seen: Seen, role: string): Payload {
  const builder = BUILDERS.find((candidate) => candidate === role) ?? 'agent_a';
  const artifact = () => seen.artifacts(builder).artifacts.find(({ received }) => !received);
  const fillers: Readonly<Record<string, () => unknown>> = {
    '<your reason>': () => 'It is right.',
    '<agent_a or agent_b>': () => 'agent_a',
    '<your answer>': () => 'So.',
    '<your response>': () => 'Mended.',
    '<the whole contract>': () => goodContract(resolvedIn(seen)),
    '<the operations that correct the error>': () => mendingOps(seen),
    '<one mapping per requirement>': () => mappingsFor(seen.plan().contract),
    '<APPROVE or REQUEST_CHANGES>': () => 'APPROVE',
    '<APPROVE, REQUEST_CHANGES or COMMENT>': () => 'APPROVE',
    '<your summary>': () => 'It holds together.',
    '<a list; each item has name, score (1 to 5) and note>': () => [{ name: 'completeness', score: 4 }],
    '<RESOLVED or WITHDRAWN>': () => 'RESOLVED',
    '<ACCEPT or REJECT>': () => 'ACCEPT',
    '<a filename of list_artifacts>': () => artifact()?.filename,
    '<sha256 of the content you fetched>': () => artifact()?.sha256,
    '<READY_TO_CODE or BLOCKED>': () => 'READY_TO_CODE',
    '<one answer per question>': () => readinessAnswers(seen, builder),
  };
  const filled = Object.entries(payload).map(([name, value]) => [
    name,
    typeof value === 'string' && value.startsWith('<') ? (fillers[value]?.() ?? value) : value,
  ]);
  return Object.fromEntries(filled);
}

/** The call by which the responsible role removes a blocker. */
export const resolutionOf = ({ responsible, resolution }: Blocker, seen: Seen) => ({
  by: responsible,
  name: resolution.tool ?? 'none',
  input: fill(resolution.payload ?? {}, seen, responsible),
});
