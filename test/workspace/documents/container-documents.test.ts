import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readSettings, SETTINGS } from '@parley/owner-app';
import { Ajv } from 'ajv';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { faultsOf, lastStageOf } from '../support/dockerfile-rules.ts';
import { runService } from '../support/running-service.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const dockerfile = read('Dockerfile');
const manifest = JSON.parse(read('package.json'));

describe('Dockerfile', () => {
  test('breaks no rule', () => expect(faultsOf(dockerfile)).toEqual([]));

  test.each([
    [/24\.\d+\.\d+-slim\n/, '24-slim\n', 'node:24-slim is not pinned to a version.'],
    [/USER node/, 'USER root', 'The image runs as root.'],
    [/USER node\n/, '', 'The image runs as root.'],
    [/HEALTHCHECK .*\n.*\n/, '', 'The last stage has no HEALTHCHECK.'],
    [/COPY pnpm-lock.yaml/, 'COPY yarn.lock', 'COPY takes yarn.lock, which is not there.'],
    [/COPY --from=build \/app/, 'ADD https://example.com/app.tgz', 'ADD fetches and unpacks; COPY does not.'],
    [/CMD \["serve"\]/, 'CMD serve', 'CMD runs in a shell, which passes no signal on.'],
    [/NODE_ENV=production/, 'PARLEY_OWNER_KEY=pok_1', 'ENV keeps a secret in the image.'],
    [/RUN ln/, 'RUN npm ci && ln', 'The last stage installs something.'],
    [/WORKDIR \/app/, 'WORKDIR app', 'WORKDIR paths should be absolute'],
    [/USER node/, 'USR node', 'Unknown instruction: USR'],
  ])('%s → %s is noticed', (from, to, fault) => {
    const worse = dockerfile.replace(from, to);
    expect(worse).not.toBe(dockerfile);
    expect(faultsOf(worse)).toContain(fault);
  });

  test('builds with the pnpm and a Node that the repository names', () => {
    expect(dockerfile).toContain(`npm install --global ${manifest.packageManager}\n`);
    expect([...dockerfile.matchAll(/^FROM (node:\S+)/gm)].map(([, image]) => image)).toEqual([
      'node:24.21.0-slim',
      'node:24.21.0-slim',
    ]);
  });

  test('does what npm start does', () => {
    expect(dockerfile).toContain('pnpm run build\n');
    expect(manifest.scripts.build).toBe('tsc -b packages/owner-app && pnpm run build:console && pnpm run build:cli');
    expect(JSON.parse(read('packages/owner-app/package.json')).bin).toEqual({ parley: 'bin/parley.js' });
  });

  test('sets only what the service reads, and listens where it says', () => {
    const file = DockerfileParser.parse(dockerfile);
    const set = lastStageOf(file)
      .filter((instruction) => instruction.getKeyword() === 'ENV')
      .flatMap((instruction) => [...instruction.getTextContent().matchAll(/(\w+)=(\S+)/g)])
      .map(([, name, value]) => [name, value]);
    expect(readSettings(Object.fromEntries(set))).toMatchObject({ host: '0.0.0.0', port: 4100, dataFolder: '/data' });
    expect(set.map(([name]) => name)).toEqual(['NODE_ENV', 'HOST', 'PORT', 'PARLEY_DATA']);
    expect(dockerfile).toContain('EXPOSE 4100\n');
  });

  test('its health check asks the process', async () => {
    const [program = '', ...args] = JSON.parse(/HEALTHCHECK .*\n +CMD (.+)/.exec(dockerfile)?.[1] ?? '[]');
    const service = await runService();
    const check = async () => (await once(spawn(program, args, { env: { ...process.env, PORT } }), 'close'))[0];
    const { port: PORT } = new URL(service.url);
    expect(await check()).toBe(0);
    await service.close();
    expect(await check()).toBe(1);
  });

  test('leaves out of its context what is private or made, and nothing that a build reads', () => {
    const context = contextFiles();
    expect(context).toContain('packages/owner-app/console/index.html');
    expect(context).toContain('packages/missions/payment-capture.json');
    expect(context.filter((file) => /^(?:docs|test|deploy|\.git)\b|\.env/.test(file))).toEqual([]);
    const ignored = read('.dockerignore').split('\n');
    for (const line of ['.git', '**/node_modules', '**/dist', '**/.env', '**/.parley']) expect(ignored).toContain(line);
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'));
  const { database, parley, proxy } = compose.services;

  test('is a Compose file', () => {
    const { $schema: _, ...schema } = JSON.parse(read('test/workspace/compose-spec/compose-spec.json'));
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
    expect(validate({ ...compose, services: { parley: { ...parley, helthcheck: {} } } })).toBe(false);
  });

  test('pins every image, and restarts and checks every service', () => {
    expect([database.image, parley.image, proxy.image]).toEqual([
      'postgres:17.6-bookworm',
      'parley:0.1.0',
      'nginx:1.28.0',
    ]);
    const { version } = JSON.parse(read('packages/owner-app/package.json'));
    expect(parley.image).toBe(`parley:${version}`);
    for (const service of [database, parley, proxy]) expect(service.restart).toBe('unless-stopped');
    expect([database.healthcheck.test[1], proxy.healthcheck.test[1]]).toEqual(['pg_isready', 'curl']);
    expect(parley.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(proxy.depends_on).toEqual({ parley: { condition: 'service_healthy' } });
  });

  const required = {
    POSTGRES_PASSWORD: '5f2c',
    PARLEY_OWNER_KEY: `pok_${'a'.repeat(48)}`,
    PARLEY_PUBLIC_URL: 'https://parley.example.com',
  };
  /** The settings of Parley if the environment of Compose has these values. */
  function settingsWith(values: Readonly<Record<string, string>>) {
    const environment = Object.entries<string>(parley.environment).map(([name, text]) => [
      name,
      text.replace(/\$\{(\w+)(?::-(\w*)|:\?[^}]+)?\}/g, (_all, key, fallback = '') => values[key] ?? fallback),
    ]);
    return readSettings(Object.fromEntries(environment));
  }

  test('gives Parley settings that it takes', () => {
    expect(settingsWith(required)).toMatchObject({
      databaseUrl: 'postgres://parley:5f2c@database:5432/parley',
      publicUrl: 'https://parley.example.com',
      trustedProxies: [compose.networks.edge.ipam.config[0].subnet],
      pathTokens: true,
      webhook: undefined,
      oidc: undefined,
      retention: undefined,
    });
  });

  test('passes on the settings of the sign-in with OpenID Connect and of the retention', () => {
    const passed = Object.entries<string>(parley.environment).filter(([name, text]) => text === `\${${name}:-}`);
    const names = SETTINGS.map(({ variable }) => variable).filter((name) =>
      /^(?:AWS|PARLEY_(?:OIDC|RETAIN|S3))_/.test(name),
    );
    expect(names).toHaveLength(14);
    expect(passed.map(([name]) => name)).toEqual(expect.arrayContaining(names));
    const { oidc, retention } = settingsWith({
      ...required,
      PARLEY_OIDC_ISSUER: 'https://login.example.com',
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_ROLES: '*=viewer',
      PARLEY_RETAIN_DAYS: '365',
      PARLEY_RETAIN_TO: '/data/archive',
    });
    expect(oidc).toMatchObject({ issuer: 'https://login.example.com', scope: 'openid profile email' });
    expect(retention).toEqual({ days: 365, to: { kind: 'folder', folder: '/data/archive' } });
    expect(parley.volumes).toEqual(['data:/data']);
    expect(dockerfile).toContain('install --directory --owner=node --group=node --mode=700 /data\n');
  });

  test('asks for every secret, and keeps none', () => {
    const text = read('compose.yaml');
    for (const name of ['POSTGRES_PASSWORD', 'PARLEY_OWNER_KEY', 'PARLEY_PUBLIC_URL'])
      expect(text).toMatch(new RegExp(`\\$\\{${name}:\\?`));
    expect(text).not.toMatch(/pok_[\w-]{32}/);
  });

  test('opens the proxy alone to the outside, and keeps what has to stay', () => {
    expect([database.ports, parley.ports, proxy.ports]).toEqual([undefined, undefined, ['80:80', '443:443']]);
    expect([database.networks, proxy.networks]).toEqual([['inside'], ['edge']]);
    expect(parley.networks).toEqual({ inside: null, edge: { ipv4_address: '172.30.17.10' } });
    expect(compose.networks.inside).toEqual({ internal: true });
    expect(database.volumes).toEqual(['database:/var/lib/postgresql/data']);
    expect(parley).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
  });
});

function contextFiles(): string[] {
  const args = ['ls-files', '--cached', '--ignored', '--exclude-from=.dockerignore'];
  const ignored = new Set(execFileSync('git', args, { encoding: 'utf8' }).split('\n'));
  const all = execFileSync('git', ['ls-files', '--cached'], { encoding: 'utf8' }).trim().split('\n');
  return all.filter((file) => !ignored.has(file));
}
