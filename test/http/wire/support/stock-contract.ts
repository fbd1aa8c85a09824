import { MARK } from '../../../support/join-session.ts';

type Json = Readonly<Record<string, unknown>>;

const named = (id: string, members: Json): Json => ({ id, title: `${id} of ${MARK}`, ...members });

const task = (id: string, assignee: string, members: Json = {}): Json =>
  named(id, {
    ...{ assignee, requirements: [`${MARK}-1`], interfaces: [`${MARK}-api`], depends_on: [] },
    ...{ deliverables: [`The ${MARK} part of ${assignee}.`], done_when: [`Its ${MARK} tests pass.`] },
    ...members,
  });

const test = (id: string, executor: string, responsible: string): Json =>
  named(id, {
    ...{ given: `ten ${MARK} products`, when: 'two pages are read', executor, responsible },
    // biome-ignore lint/suspicious/noThenProperty: given, when and then are members of a contract's test.
    then: `every ${MARK} product was seen once`,
    ...{ requirements: [`${MARK}-1`], interfaces: [`${MARK}-api`], depends_on: [] },
  });

const gate = (stage: string): Json => named(`gate-${stage}`, { stage, condition: `The ${MARK} tests pass.` });

const artifact = (audience: string, content: string): Json => ({
  filename: `for-${audience.replace('_', '-')}.txt`,
  ...{ media_type: 'text/plain', audience, content },
});

/** SHA-256 of the content of `for-agent-a.txt`. */
export const ARTIFACT_SHA256 = '81eaa54021c2b25565b4bbd3476c00f5c4df7a5638085100b8ef1475227cb1b3';

/** The contract is valid if the session's decisions d_1 and d_2 are RESOLVED. */
export const STOCK_CONTRACT: Json = {
  title: `${MARK} pages`,
  summary: `The ${MARK} catalogue gives its products page by page.`,
  scope: { in: [`Pages of ${MARK}.`], out: [`Prices of ${MARK}.`] },
  decisions: ['d_1', 'd_2'],
  interfaces: [
    {
      ...{ id: `${MARK}-api`, name: `${MARK} pages`, kind: 'http', provider: 'agent_b', consumers: ['agent_a'] },
      description: `A page of ${MARK} after a cursor.`,
      operations: [{ name: `GET /${MARK}`, request: { after: 7 }, response: { products: [] }, errors: ['400'] }],
    },
  ],
  data_models: [{ id: 'page', name: `Page of ${MARK}`, json_schema: { type: 'object', default: null } }],
  tasks: [task('task-a', 'agent_a', { depends_on: ['task-b'] }), task('task-b', 'agent_b')],
  tests: [test('test-pages', 'agent_a', 'agent_b'), test('test-empty', 'agent_b', 'agent_a')],
  gates: [gate('build'), gate('deployment'), { ...gate('activation'), run: { by: 'agent_a' } }],
  risks: [{ id: 'risk-1', text: `${MARK} grows.`, mitigation: 'An index.', assignee: 'agent_b' }],
  safety_conditions: [{ id: 'safe-1', text: `No ${MARK} twice.`, covered_by: ['test-pages'] }],
  dependencies: [{ name: 'PostgreSQL', version: '15', assignee: 'agent_b', why: `It holds the ${MARK}.` }],
  rollout: { steps: [`Deploy ${MARK}.`], rollback: `Take ${MARK} back.` },
  fixture_version: '1',
  artifacts: [
    artifact('agent_a', `${MARK} quartz: for agent A to confirm`),
    artifact('agent_b', `${MARK} basalt: for agent B to confirm`),
    artifact('both', `${MARK} granite: for both to confirm`),
  ],
};

export const STOCK_MAPPINGS = [{ requirement_id: `${MARK}-1`, tasks: ['task-a', 'task-b'], tests: ['test-pages'] }];

/** SHA-256 of the RFC 8785 form of `STOCK_CONTRACT`. */
export const STOCK_HASH = 'aa6ce9b6176ed8ed13c758532dcfad743a9da6334b2bbbeb28bab16fa62c641b';

export const STOCK_HANDSHAKE = {
  ...{ service: `${MARK}-pages`, version: '1.4.0', commit: 'c0ffee1', environment: 'staging' },
  ...{ ready: true, dependencies_healthy: true, fixture_version: '1' },
};
