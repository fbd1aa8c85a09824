import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { snippetsOf, snippetUnder } from '../workspace/support/snippets.ts';
import { manifestOf } from './manifests.ts';
import { newcomer } from './newcomer.ts';

const LIBRARIES = ['core', 'http-host', 'mcp-host', 'missions', 'owner-app', 'storage-pg'].map((name) => ({
  folder: `packages/${name}`,
  ...manifestOf(`packages/${name}`),
}));
const EXAMPLE = snippetUnder(snippetsOf('README.md'), '1. Embedded in your own owner app', 'js');
/** Paths of further versions of Node, separated by colons. */
const NODES = [process.execPath, ...(process.env.NODES ?? '').split(':').filter(Boolean)];
const npmInstall = ['install', '--no-audit', '--no-fund', '--loglevel', 'error'];

/** Both hosts in an app of somebody else, as their READMEs describe, and one call to each. */
const MOUNTED = `
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStorage, createParley } from '@parley/core';
import { createHttpHost } from '@parley/http-host';
import { createMcpHost } from '@parley/mcp-host';

const parley = await createParley({ storage: createMemoryStorage() });
const rest = createHttpHost(parley);
const mcp = createMcpHost(parley);
const server = createServer((request, response) => {
  rest.handler(request, response, () =>
    mcp.handler(request, response, () => {
      response.end('own page');
    }),
  );
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  const url = \`http://127.0.0.1:\${port}\`;
  const redeemed = await fetch(\`\${url}\${rest.prefix}/invitations/redeem\`, { method: 'POST', body: '{"code":"no"}' });
  const called = await fetch(\`\${url}\${mcp.prefix}\`, { method: 'POST', body: '{}' });
  const own = await (await fetch(url)).text();
  console.log(JSON.stringify([redeemed.status, called.status, own]));
  server.close();
  await parley.close();
});
`;

test.each(NODES)("the README's first example runs after npm install, with %s", async (node) => {
  const { folder, run } = newcomer();
  await run('npm', [...npmInstall, '@parley/core']);
  writeFileSync(join(folder, 'example.mjs'), EXAMPLE);
  expectIn(await run(node, ['example.mjs']), "tool: 'post_turn'");
});

test('every entry is imported and required by each Node, and its types are found', async () => {
  const { folder, run } = newcomer();
  const peers = Object.entries(Object.assign({}, ...LIBRARIES.map(({ peerDependencies }) => peerDependencies)));
  await run('npm', [
    ...npmInstall,
    ...LIBRARIES.map(({ name }) => name),
    ...peers.map(([name, range]) => `${name}@${range}`),
    ...['typescript', '@types/node'].map((name) => `${name}@${catalogVersion(name)}`),
  ]);
  const entries = LIBRARIES.flatMap(({ name, exports = {} }) =>
    Object.keys(exports)
      .filter((entry) => !entry.endsWith('.json'))
      .map((entry) => name + entry.slice(1)),
  );
  writeFileSync(join(folder, 'import.mjs'), entries.map((entry) => `await import('${entry}');\n`).join(''));
  // Vitest, which the entry for tests needs, refuses to be required.
  const required = entries.filter((entry) => !entry.endsWith('/testing'));
  writeFileSync(
    join(folder, 'require.cjs'),
    required.map((entry) => `if (!Object.keys(require('${entry}')).length) throw new Error('${entry}');\n`).join(''),
  );
  for (const node of NODES) {
    await run(node, ['import.mjs']);
    await run(node, ['require.cjs']);
  }
  writeFileSync(join(folder, 'mounted.mts'), MOUNTED);
  writeFileSync(
    join(folder, 'entries.mts'),
    entries.map((entry, index) => `import * as e${index} from '${entry}';\nexport { e${index} };\n`).join(''),
  );
  for (const [module, resolution] of [
    ['esnext', 'bundler'],
    ['node16', 'node16'],
  ])
    await run(join(folder, 'node_modules/.bin/tsc'), [
      ...['--strict', '--target', 'es2023', '--types', 'node', '--outDir', 'built'],
      ...['--module', module ?? '', '--moduleResolution', resolution ?? '', 'mounted.mts', 'entries.mts'],
    ]);
  for (const node of NODES) expectIn(await run(node, ['built/mounted.mjs']), '[404,401,"own page"]');
});

/** The version that the catalog of this repository names. */
const catalogVersion = (name: string): string =>
  new RegExp(`^ {2}'?${name}'?: (.+)$`, 'm').exec(readFileSync('pnpm-workspace.yaml', 'utf8'))?.[1] ?? '';

function expectIn(text: string, wanted: string): void {
  if (!text.includes(wanted)) throw new Error(`"${wanted}" is missing in:\n${text}`);
}
