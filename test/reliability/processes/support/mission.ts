import type { Mission } from '@parley/missions';

export const SESSION: Mission['session'] = {
  title: 'Stock levels',
  objective: 'Shops see what the warehouse holds within a second.',
  guardrails: [],
  requirements: [{ requirement_id: 'req-1', text: 'A level shown is at most one second old.' }],
  round_limit: 100,
  first_turn: 'agent_a',
  fixture_version: 'stock-1',
  agents: {
    agent_a: { name: 'Shop agent', repository: 'acme/shop', service: 'shop' },
    agent_b: { name: 'Warehouse agent', repository: 'acme/warehouse', service: 'warehouse' },
  },
};
