import type { JsonSchema } from '@parley/core';

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength, pattern: '\\S' });
const agent: JsonSchema = {
  type: 'object',
  properties: { name: text(200), repository: text(200), service: text(200) },
};

/** Schema of the input that creates a session. Written by hand, because no list of operations contains this call. */
export const createSessionSchema: JsonSchema = {
  type: 'object',
  required: ['title', 'objective', 'requirements'],
  properties: {
    title: text(200),
    objective: text(8_000),
    guardrails: { type: 'array', items: text(2_000) },
    requirements: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['requirement_id', 'text'],
        properties: { requirement_id: { enum: ['req-1', 'req-2', 'R.3'] }, text: text(2_000) },
      },
    },
    round_limit: { type: 'integer', minimum: 1, maximum: 100 },
    first_turn: { enum: ['agent_a', 'agent_b'] },
    agents: { type: 'object', properties: { agent_a: agent, agent_b: agent } },
  },
};
