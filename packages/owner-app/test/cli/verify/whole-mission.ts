import { type Owner, type Parley, verifyCertificate } from '@parley/core';
import { expect, onTestFinished } from 'vitest';
import { startCommitStatuses } from '../../../src/server/notify/commit-statuses.ts';
import { startReceiver } from '../../notify/receiver.ts';
import { checkByPython, hasCryptography } from './python-check.ts';

interface Whole {
  readonly parley: Parley;
  readonly owner: Owner;
  readonly sessionId: string;
}

/** Links agent_a with a fake forge of the form of GitHub, and posts its statuses until the test ends. */
export async function withForge({ parley, owner, sessionId }: Whole) {
  const forge = await startReceiver((response) => void response.writeHead(201).end('{}'));
  const silent = () => undefined;
  const posting = startCommitStatuses({
    statuses: parley.statuses,
    hosts: ['127.0.0.1'],
    pageOf: (path) => `https://parley.example.com/owner/${path}`,
    log: { debug: silent, warn: silent, error: silent },
  });
  onTestFinished(() => posting.close());
  const api = `${new URL(forge.url).origin}/api/v3`;
  await owner.linkChange(sessionId, {
    ...{ role: 'agent_a', forge: 'github', api, repository: 'acme/shop', token: 'token-of-this-test' },
  });
  return () => Object.fromEntries(forge.received.map(({ body }) => [JSON.parse(body).context, JSON.parse(body).state]));
}

/** The forge has both statuses as success, and the certificate has this level, for core and for the example in Python. */
export async function expectCertificate(
  { parley, owner, sessionId }: Whole,
  statuses: () => Readonly<Record<string, string>>,
  level: string,
) {
  await expect.poll(statuses).toEqual({ 'parley/contract': 'success', 'parley/verified': 'success' });
  const { text } = await owner.certificate(sessionId);
  const { statement } = verifyCertificate(text, parley.keySet);
  expect(statement?.predicate.level).toBe(level);
  if (hasCryptography) expect(await checkByPython(text, parley.keySet)).toBe(0);
  return statement;
}
