import type { ToolOutput } from '@parley/core/client';
import { z } from 'zod';
import type { Builder } from './mission.ts';
import type { System } from './system.ts';
import type { CallTool, Json } from './transport.ts';

type Item = ToolOutput<'verify_next'>['items'][number];

/** Whether the bot made a call or first saw that the build is authorized, and the phase that it read before. */
export interface Acted {
  readonly acted: boolean;
  readonly phase: string;
}

/**
 * Makes the first call in the list of `verify_next`, with its tool, route and payload. If the call takes further items of the list,
 * sends them in its `others`. Each placeholder `<…>` in the payloads is replaced by data from `system`. The address of a service is
 * left out if its build names none.
 */
export async function actOnNext(agent: CallTool, role: Builder, system: System): Promise<Acted> {
  const { items, phase } = await agent('verify_next');
  const [item, ...rest] = items;
  if (!item) return { acted: false, phase };
  const { tool, route } = item;
  const filled = (one: Item): Json => filledIn(one.payload, valuesFor(one, role, system));
  const others = rest.filter((other) => isTogether(item, other)).slice(0, BESIDE.get(item.tool) ?? 0);
  await agent(tool, { ...filled(item), ...(others.length > 0 && { others: others.map(filled) }) }, { route });
  return { acted: true, phase };
}

/** The tools that take further scenarios in `others`, with the most that the schema of their input allows. */
const BESIDE: ReadonlyMap<string, number> = new Map([
  ['verify_start_attempt', 19],
  ['verify_verify', 19],
]);

const isTogether = (item: Item, other: Item): boolean => other.tool === item.tool && other.payload.verdict !== 'CARRY';

function valuesFor({ tool, payload, scenario_id = '', reason }: Item, role: Builder, system: System): Json {
  const evidence = (attempt: number): Json =>
    'evidence' in payload ? { evidence: evidenceOf(payload, () => system.look(role, scenario_id, attempt)) } : {};
  switch (tool) {
    case 'verify_handshake':
      return { address: undefined, ...system.deploy(role, scenario_id || undefined) };
    case 'verify_submit_evidence':
      return system.look(role, scenario_id, z.int().parse(payload.attempt));
    case 'verify_verify':
      return { ...system.judge(scenario_id), ...evidence(z.int().parse(payload.attempt)) };
    case 'verify_submit_fix':
      return { note: system.note(scenario_id) };
    case 'verify_start_attempt':
      return evidence(system.start(scenario_id));
    case 'ack_intervention':
      return {};
    case 'complete_action':
      return { note: 'Every gate holds.' };
    case 'answer_question':
      return { answer: 'As the contract says.' };
    case 'answer_intervention':
      return { text: 'As the contract says.' };
    default:
      throw new Error(`The instruction to ${role} names ${tool}, which the bots do not implement: ${reason}`);
  }
}

/** Makes the evidence for an attempt: each evidence draft of the payload, completed with what `look` returns. */
const evidenceOf = ({ evidence }: Json, look: () => Json): Json[] =>
  z
    .array(z.record(z.string(), z.unknown()))
    .parse(evidence)
    .map((draft) => filledIn(draft, look()));

/**
 * Whether a value is a placeholder, or a list that contains a placeholder. An empty list counts as a placeholder: it is
 * the list of assertions, which the agent fills in from what it observes.
 */
function isOpen(value: unknown): boolean {
  if (typeof value === 'string') return /^<.*>$/.test(value);
  return Array.isArray(value) && (value.length === 0 || value.some((each) => Object.values(Object(each)).some(isOpen)));
}

function filledIn(payload: Json, values: Json): Json {
  const members = Object.entries(payload).map(([name, value]) => {
    if (!isOpen(value)) return [name, value] as const;
    if (typeof value === 'string' && !Object.hasOwn(values, name))
      throw new Error(`No value is known for the placeholder ${name}: ${value}.`);
    return [name, Object.hasOwn(values, name) ? values[name] : value] as const;
  });
  return Object.fromEntries(members);
}
