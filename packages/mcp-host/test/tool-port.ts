import { type Admission, createMemoryStorage, createParley, type ParleyError, type Sender } from '@parley/core';

const parley = await createParley({ storage: createMemoryStorage() });

type Step = 'admit' | 'count' | 'confirm' | 'charge' | 'call';

/**
 * The real core, but with recorded calls, for tests of JSON-RPC. If `fault` has an error for a step, the step throws
 * that error. The tool `echo` returns its input.
 */
export function createToolPort(fault: Partial<Record<Step, ParleyError>> = {}) {
  const seen: [Step, unknown][] = [];
  const step = async (name: Step, detail: unknown) => {
    seen.push([name, detail]);
    if (fault[name]) throw fault[name];
  };
  const admission: Admission = {
    role: 'agent_a',
    sessionId: 's',
    charge: (elements) => step('charge', elements),
    confirm: () => step('confirm', undefined),
    tools: [],
    effectOf: (name) => (name === 'echo' ? 'read' : undefined),
    callToolText: async (name, argumentsText, maxWaitSeconds) => {
      await step('call', { name, argumentsText, maxWaitSeconds });
      return { value: {}, text: '{}' };
    },
    callTool: async (name, input, maxWaitSeconds) => {
      await step('call', { name, input, maxWaitSeconds });
      const value = { heard: input };
      return { value, text: JSON.stringify(value) };
    },
  };
  return {
    ...parley,
    service: { name: 'parley', version: '1.2.3', joining: 'Redeem a code.' },
    admit: async ({ authorization, pathToken, address }: Sender) => {
      await step('admit', { authorization, pathToken, address });
      return admission;
    },
    count: async ({ authorization, pathToken, address }: Sender) => {
      await step('count', { authorization, pathToken, address });
    },
    drain: async () => {},
    seen,
  };
}
