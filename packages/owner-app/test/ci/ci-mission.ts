import { createServer } from 'node:net';
import { type Builder, recordedMission } from '../cli/verify/recorded-mission.ts';
import { KEY } from '../running-app.ts';
import { openIssuer, type SigningOptions } from './fake-issuer.ts';

export const BOOK = 'v-retries-book-once';
export const POLICY = { level: 'ci', correlated: false };

/** A port that is free now, so that the address of the service is known before it starts. */
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = Object(server.address());
      server.close(() => resolve(port));
    });
  });

const REPOSITORIES = { agent_a: 'acme/shop', agent_b: 'acme/app' };

export const junit = (...tests: readonly string[]): string => {
  const inside: Record<string, string> = { failed: '<failure/>', skipped: '<skipped/>' };
  const cases = tests
    .map((one) => one.split('='))
    .map(([name, result = '']) => `<testcase name="${name}">${inside[result] ?? ''}</testcase>`);
  return `<testsuite>${cases.join('')}</testsuite>`;
};

/** A mission in verification whose owner has bound a workflow of a fake issuer for each agent. */
export async function ciMission({ policy = POLICY as object, allowed = true, now = Date.now } = {}) {
  const issuer = await openIssuer();
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const app = { publicUrl, ciIssuers: allowed ? [issuer.issuer] : [], now };
  const mission = await recordedMission(policy, { app, port });
  const { owner, sessionId, repositories, url } = mission;
  const address = `${publicUrl}/owner/api/ci/${sessionId}`;
  const common = { issuer: issuer.issuer, ref: 'refs/heads/main' };
  const bind = (role: Builder) =>
    owner.bindWorkflow(sessionId, {
      ...{ ...common, role, forge: 'github', repository: REPOSITORIES[role], workflow: '.github/workflows/parley.yml' },
    });
  await bind('agent_a');
  await bind('agent_b');
  /** The claims of a job of GitHub in the repository of an agent, on its declared commit. */
  const claimsOf = (by: Builder) => ({
    ...{
      aud: address,
      repository: REPOSITORIES[by],
      ref: common.ref,
      sha: repositories[by].commit,
      event_name: 'push',
    },
    ...{
      job_workflow_ref: `${REPOSITORIES[by]}/.github/workflows/parley.yml@refs/heads/main`,
      run_id: '7',
      run_attempt: '1',
    },
  });
  const send = async (token: string, { body = junit('books once=passed'), query = `scenario=${BOOK}` } = {}) => {
    const sent = new URLSearchParams(query);
    for (const [name, value] of [
      ['format', 'junit'],
      ['exit_code', '0'],
    ] as const)
      if (!sent.has(name)) sent.set(name, value);
    const response = await fetch(`${address}?${sent}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body,
    });
    return { status: response.status, headers: response.headers, answer: Object(await response.json()) };
  };
  return {
    ...mission,
    ...{ issuer, address, bind, claimsOf, send, publicUrl, url, KEY },
    /** Sends a report with a token of the workflow of an agent. */
    report: async (by: Builder, { claims = {}, signing = {} as SigningOptions, ...sent } = {} as Sent) =>
      await send(await issuer.sign({ ...claimsOf(by), ...claims }, signing), sent),
    events: async () => (await owner.view(sessionId)).head.seq,
  };
}

interface Sent {
  readonly claims?: object;
  readonly signing?: SigningOptions;
  readonly body?: string;
  readonly query?: string;
}
