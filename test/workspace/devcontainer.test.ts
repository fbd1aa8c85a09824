import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { faultsOf } from './support/dockerfile-rules.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const dockerfile = read('.devcontainer/Dockerfile');

test('the container for development has every program that .ci/run looks for', () => {
  const programs = /for program in (.+);/.exec(read('.ci/run'))?.[1]?.split(' ') ?? [];
  expect(programs).toEqual(['redis-server', 'pgbouncer', 'haproxy', 'nginx']);
  const installed = /no-install-recommends \\\n(.+) \\/.exec(dockerfile)?.[1]?.trim().split(' ') ?? [];
  expect(installed).toEqual(expect.arrayContaining([...programs, 'postgresql-15', 'chromium']));
});

test('the container for development has the Node of .nvmrc and the pnpm of package.json', () => {
  expect(dockerfile).toContain(`FROM node:${read('.nvmrc').trim()}-bookworm\n`);
  expect(dockerfile).toContain(`npm install --global ${JSON.parse(read('package.json')).packageManager}\n`);
});

test('the container for development runs as a user, and breaks no rule but those for an image of the service', () => {
  expect(faultsOf(dockerfile)).toEqual([
    'RUN fetches what no lockfile holds.',
    'The last stage has no HEALTHCHECK.',
    'The last stage has no ENTRYPOINT.',
    'The last stage installs something.',
    'The last stage installs something.',
  ]);
});
