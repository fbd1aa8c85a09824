import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at } from '../../../support/exchange.ts';
import type { Joined } from '../../../support/join-session.ts';
import { callTool, restPath } from '../../../support/requests.ts';
import { ask, openService, post, type Service } from '../../../support/service.ts';
import { countRows, PLACES, type Place } from '../support/places.ts';
import { openAt } from '../support/sample-sessions.ts';

const TOKEN = `${'gh'}p_${'Zk8R4nd0mT0k3nOfThisTestQw7xYv2'.padEnd(36, 'a9')}`;
const KEY = ['-----BEGIN', 'RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7b\n-----END', 'RSA PRIVATE KEY-----'].join(' ');
const ADDRESS = 'postgres://app:Vq7-tR2x9Lm@db.internal:5432/orders';

const EVIDENCE = {
  scenario_id: 'test-pages',
  attempt: 1,
  kind: 'log',
  claim: 'It holds.',
  summary: 'Seen in the log.',
  request_id: 'req-1',
};

interface Call {
  readonly tool: string;
  readonly route: string;
  readonly input: object;
  /** The path of the input member that contains the credential. */
  readonly path: string;
  readonly secret: string;
  readonly as?: 'moderator';
}

const byModerator = (tool: string, route: string, path: string, input: object): Call => ({
  ...{ tool, route: `moderator/${route}`, input, path, secret: TOKEN, as: 'moderator' },
});

const FINDING = { category: 'SECURITY', text: 'No limit.', resolution_criteria: 'A limit.' };

const evidenceWith = (path: string, secret: string, change: object): Call => ({
  tool: 'verify_submit_evidence',
  route: 'verify/evidence',
  input: { ...EVIDENCE, ...change },
  path,
  secret,
});

const CALLS: readonly Call[] = [
  evidenceWith('summary', TOKEN, { summary: `Sent ${TOKEN}.` }),
  evidenceWith('claim', ADDRESS, { claim: `Read ${ADDRESS}` }),
  evidenceWith('assertions[0].actual.key', KEY, {
    assertions: [{ name: 'key', expected: null, actual: { key: KEY }, passed: true }],
  }),
  {
    tool: 'answer_question',
    route: 'questions/answer',
    input: { question_id: 'q_1', answer: `Use ${TOKEN}.` },
    path: 'answer',
    secret: TOKEN,
  },
  byModerator('ask_agent', 'questions', 'text', { text: `Is ${TOKEN} yours?` }),
  byModerator('submit_moderator_finding', 'findings', 'resolution_criteria', {
    ...{ ...FINDING, resolution_criteria: `${TOKEN} is gone.` },
  }),
  {
    ...byModerator('submit_moderator_finding', 'findings', 'evidence[0].excerpt', {
      ...{ ...FINDING, evidence: [{ kind: 'log', reference: 'app.log', excerpt: `read ${ADDRESS}` }] },
    }),
    secret: ADDRESS,
  },
  byModerator('request_hold', 'holds', 'reason', { finding_id: 'f_1', reason: `Until ${TOKEN} is gone.` }),
  byModerator('recommend_to_owner', 'recommend', 'text', { recommendation: 'REJECT', text: `It holds ${TOKEN}.` }),
];

describe.each(PLACES)('a credential, on %s', (_name, open) => {
  let place: Place;
  let service: Service;
  let session: Joined;
  let rowsBefore: readonly object[];

  const start = async (): Promise<void> => {
    service = await openService({ storage: await place.connect() });
  };
  const stop = async (): Promise<void> => {
    await service.close();
    await service.storage.close();
  };

  beforeAll(async () => {
    place = await open();
    await start();
    session = await openAt(service, 'built');
    await stop();
    rowsBefore = await countRows(place);
    await start();
  });
  afterAll(async () => {
    await stop();
    await place.remove();
  });

  test.each(CALLS)('is refused by the field $path of $tool, over REST and MCP', async (call) => {
    const { tool, route, input, path, secret, as = 'agent_a' } = call;
    const rest = await ask(service, restPath(session.sessionId, route), session.tokens[as], input);
    expect([rest.status, rest.json]).toMatchObject([422, { error: 'CREDENTIAL_REJECTED', issues: [{ path }] }]);
    const mcp = await post(service, session.tokens[as], callTool(tool, input));
    expect(at(mcp.json, 'result', 'content', 0, 'text')).toBe(rest.text);
    for (const { text } of [rest, mcp]) expect(text).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  test('leaves no row behind', async () => {
    await stop();
    expect(await countRows(place)).toEqual(rowsBefore);
    await start();
    const { status } = await ask(
      service,
      restPath(session.sessionId, 'verify/evidence'),
      session.tokens.agent_a,
      EVIDENCE,
    );
    expect(status).toBe(200);
    await stop();
    expect(await countRows(place)).not.toEqual(rowsBefore);
    await start();
  });
});
