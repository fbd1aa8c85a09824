import { readSettings } from '@parley/owner-app';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { createNewcomer } from '../support/newcomer.ts';
import { snippetsOf, snippetUnder } from '../support/snippets.ts';

const snippets = snippetsOf('docs/observability.md');
const databaseUrl = inject('databaseUrl');
const newcomer = createNewcomer();

afterAll(() => newcomer.leave());

test('the page has no block beyond those that are tried, and those of OpenTelemetry', () => {
  expect(snippets.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    'Metrics: sh',
    'Metrics: yaml',
    'Traces: js',
    'Traces: text',
    'In a program of your own: js',
  ]);
});

test('Prometheus asks where the server serves, under the name that the alerts expect', () => {
  const [, name = '', port = ''] =
    /^(\w+)=(\d+) npx parley serve\n$/.exec(snippetUnder(snippets, 'Metrics', 'sh')) ?? [];
  const { metrics } = readSettings({ [name]: port });
  const { rule_files, scrape_configs } = parse(snippetUnder(snippets, 'Metrics', 'yaml'));
  expect(rule_files).toEqual(['deploy/prometheus/alerts.yml']);
  expect(scrape_configs).toEqual([
    { job_name: 'parley', static_configs: [{ targets: [`${metrics?.host}:${metrics?.port}`] }] },
  ]);
});

describe.skipIf(databaseUrl === null)('a program of its own', () => {
  test('serves what it measures', async () => {
    const visit = `
const text = await (await fetch(serving.url + '/metrics')).text();
console.log(text.split('\\n').filter((line) => /^parley_held_polls|^parley_build_info/.test(line)).join('\\n'));
await serving.close();
await parley.close();
await storage.close();
`;
    const program = snippetUnder(snippets, 'In a program of your own', 'js') + visit;
    const { code, out, err } = await newcomer.program(program, { DATABASE_URL: databaseUrl ?? '', METRICS_PORT: '0' });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/metrics\nparley_held_polls 0\nparley_build_info\{version="0\.1\.0"\} 1\n$/,
    );
  });
});
