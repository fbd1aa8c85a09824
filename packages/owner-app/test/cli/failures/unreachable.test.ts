import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { EXIT } from '../../../src/cli/exit-codes.ts';
import { runCli } from '../../../src/cli/program.ts';
import { fakeTerminal } from '../../fake-terminal.ts';
import { newFolder } from '../../new-folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

async function sessionsAt(url: string) {
  const terminal = fakeTerminal({ PARLEY_URL: url, PARLEY_OWNER_KEY: 'k' });
  return { code: await runCli(['sessions'], terminal), err: terminal.errors() };
}

test('a certificate of an unknown authority is named, with the variable that makes it known', async () => {
  const folder = await newFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  execFileSync('openssl', [...made, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  expect(await sessionsAt(url)).toEqual({
    code: EXIT.UNREACHABLE,
    err: `parley: The certificate of ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). If a private authority signed it, set NODE_EXTRA_CA_CERTS to the file with the certificate of that authority (PEM).`,
  });
});
