import { z } from 'zod';

const Text = z.string().min(1);
const Agent = z.strictObject({ name: Text, repository: Text, service: Text });

const Session = z.strictObject({
  title: Text,
  objective: Text,
  guardrails: z.array(Text),
  requirements: z.array(z.strictObject({ requirement_id: Text, text: Text })).min(1),
  round_limit: z.int().min(1),
  first_turn: z.enum(['agent_a', 'agent_b']),
  fixture_version: Text,
  agents: z.strictObject({ agent_a: Agent, agent_b: Agent }),
});

const Step = z.strictObject({
  by: z.enum(['agent_a', 'agent_b', 'owner']),
  call: Text.describe('A tool for an agent, an owner operation for the owner.'),
  input: z.record(z.string(), z.unknown()),
});

const Outcome = z.strictObject({
  phase: Text,
  contract_author: z.enum(['agent_a', 'agent_b']),
  turns: z.int(),
  decisions: z.record(z.string(), Text).describe('Status by decision id.'),
});

/**
 * A mission: what the owner asks for, what was said, and where it ended.
 *
 * Ids in the steps are literal. A session numbers each kind of record from 1 (`q_1`, `d_1`, `i_1`, `act_1`), so a reader
 * can follow them without running anything.
 */
export const Mission = z.strictObject({
  mission: Text,
  session: Session,
  discussion: z.array(Step).min(1),
  outcome: Outcome,
});

export type Mission = z.output<typeof Mission>;
export type Step = z.output<typeof Step>;
export type Outcome = z.output<typeof Outcome>;
export type Builder = Mission['session']['first_turn'];
