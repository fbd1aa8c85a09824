import { type AgentClient, ParleyError } from '@parley/core';
import type { Heard } from '../../../support/exchange.ts';
import type { Joined } from '../../../support/join-session.ts';
import { callTool, restPath, rpc } from '../../../support/requests.ts';
import { ask, post, type Service } from '../../../support/service.ts';

/** A service with three sessions: in PLANNING, in CONTRACT with agent_a as author, and in VERIFY. */
export interface Samples {
  readonly service: Service;
  readonly planned: Joined;
  readonly written: Joined;
  readonly built: Joined;
}

/** Makes a call that is refused, with a text that the error might repeat. Returns the error. */
export type Probe = (samples: Samples, text: string) => Promise<unknown>;

const saidBy = async (call: Promise<unknown>): Promise<unknown> => {
  const refused = await call.then(
    () => new Error('This was served.'),
    (error: unknown) => error,
  );
  if (refused instanceof ParleyError) return refused.body();
  throw refused;
};

/** JSON-RPC answers have the error in `error`. A REST answer is the error. */
const saidIn = ({ json }: Heard): unknown => (Object(json).error?.message ? Object(json).error : json);

const agentIn = ({ service }: Samples, { tokens }: Joined): AgentClient => service.parley.agent(tokens.agent_a);

const rpcProbe =
  (body: (text: string) => string): Probe =>
  async ({ service, planned }, text) =>
    saidIn(await post(service, planned.tokens.agent_a, body(text)));

const restProbe =
  (route: (escaped: string) => string): Probe =>
  async ({ service, planned }, text) =>
    saidIn(await ask(service, restPath(planned.sessionId, route(encodeURIComponent(text))), planned.tokens.agent_a));

const patchProbe =
  (path: (text: string) => string): Probe =>
  (samples, text) => {
    const ops = [{ op: 'remove' as const, path: path(text) }];
    return saidBy(
      agentIn(samples, samples.written).call('patch_contract', { expected_parent_id: 'r_1', reason: 'x', ops }),
    );
  };

export const PROBES: Readonly<Record<string, Probe>> = {
  'an unknown member': (samples, text) =>
    saidBy(agentIn(samples, samples.planned).call('post_turn', { summary: 'x', ...{ [text]: 1 } })),
  'an unknown member inside': (samples, text) =>
    saidBy(
      agentIn(samples, samples.planned).call('post_turn', {
        summary: 'x',
        answers: [Object({ [text]: 1, answer: 'x' })],
      }),
    ),
  'another session_id': (samples, text) =>
    saidBy(agentIn(samples, samples.planned).call('read_task', Object({ session_id: text }))),
  'a scenario_id': (samples, text) =>
    saidBy(
      agentIn(samples, samples.built).call('verify_start_attempt', { scenario_id: [...text].slice(0, 30).join('') }),
    ),
  'a filename': (samples, text) => saidBy(agentIn(samples, samples.built).call('fetch_artifact', { filename: text })),
  'a question_id': (samples, text) =>
    saidBy(agentIn(samples, samples.planned).call('answer_question', { question_id: text, answer: 'x' })),
  'an environment': (samples, text) =>
    saidBy(agentIn(samples, samples.built).call('verify_handshake', Object({ environment: text }))),
  'a member to be removed': patchProbe((text) => `/rollout/${text}`),
  'an index to be removed': patchProbe((text) => `/tasks/${text}`),
  'a way to a member': patchProbe((text) => `/${text}/title/x`),
  'a pointer': patchProbe((text) => text),
  'a member given twice': rpcProbe((text) => `{${JSON.stringify(text)}:1,${JSON.stringify(text)}:2}`),
  'a method': rpcProbe((text) => rpc(text)),
  'a tool': rpcProbe((text) => callTool(text)),
  'a parameter of a query': restProbe((text) => `task?${text}=1`),
  'a parameter given twice': restProbe((text) => `task?${text}=1&${text}=2`),
  'a route': restProbe((text) => text),
  "an owner's operation": ({ service, planned }, text) => saidBy(service.owner.call(text, planned.sessionId)),
  "an owner's session": ({ service }, text) => saidBy(service.owner.view(text)),
};
