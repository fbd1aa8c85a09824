import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, SETTINGS } from '@parley/owner-app';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { createNewcomer } from '../support/newcomer.ts';
import { type RunningService, runService } from '../support/running-service.ts';
import { snippetsOf, snippetUnder } from '../support/snippets.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef: { readonly name: string; readonly key: string; readonly optional?: boolean };
  };
}

const SCHEMAS: Readonly<Record<string, string>> = {
  ConfigMap: 'configmap-v1',
  Deployment: 'deployment-apps-v1',
  Service: 'service-v1',
  PodDisruptionBudget: 'poddisruptionbudget-policy-v1',
  NetworkPolicy: 'networkpolicy-networking-v1',
};

const objects = parseAllDocuments(readFileSync('deploy/kubernetes/parley.yaml', 'utf8')).map((part) => part.toJS());
const [configMap, deployment, service, budget, network] = objects;
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const variables: readonly Variable[] = container.env;
const secrets = variables.flatMap(({ name, valueFrom }) =>
  valueFrom ? [{ variable: name, ...valueFrom.secretKeyRef }] : [],
);
const plain: Readonly<Record<string, string>> = {
  ...configMap.data,
  ...Object.fromEntries(variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
};
const page = snippetsOf('docs/deploy/kubernetes.md');

/** Lists where an object violates the JSON schema of its kind. */
function faultsOf(object: { readonly kind: string }): string[] {
  const file = `test/workspace/kubernetes-schemas/${SCHEMAS[object.kind]}.json`;
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync(file, 'utf8')),
  );
  validate(object);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('the objects for Kubernetes', () => {
  test('are those of the page, each valid by its schema', () => {
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap parley',
      'Deployment parley',
      'Service parley',
      'PodDisruptionBudget parley',
      'NetworkPolicy parley',
    ]);
    for (const object of objects) expect(faultsOf(object)).toEqual([]);
    const misspelt = { ...deployment, spec: { ...deployment.spec, replica: 2 } };
    expect(faultsOf(misspelt)).toEqual(['/spec must NOT have additional properties']);
  });

  test('find each other by name, label and port', () => {
    const labels = { 'app.kubernetes.io/name': 'parley' };
    expect(deployment.spec.template.metadata.labels).toEqual(labels);
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(service.spec.selector).toEqual(labels);
    expect(budget.spec.selector.matchLabels).toEqual(labels);
    expect(network.spec.podSelector.matchLabels).toEqual(labels);
    expect(pod.topologySpreadConstraints[0].labelSelector.matchLabels).toEqual(labels);
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'parley' } }]);
    expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    // The Dockerfile sets the port.
    expect(container.ports).toEqual([{ name: 'http', containerPort: 4100 }]);
    expect(readFileSync('Dockerfile', 'utf8')).toContain('PORT=4100 ');
  });

  test('name the image of this version', () => {
    const { version } = JSON.parse(readFileSync('packages/owner-app/package.json', 'utf8'));
    expect(container.image).toBe(`registry.example.com/parley:${version}`);
  });
});

describe('the network of a pod', () => {
  const namespaced = (namespace: string, labels?: object) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...(labels ? { podSelector: { matchLabels: labels } } : {}),
  });

  test('takes requests from the ingress alone, and those for metrics from the monitoring alone', () => {
    expect(network.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(network.spec.ingress).toEqual([
      {
        from: [namespaced('ingress-nginx', { 'app.kubernetes.io/name': 'ingress-nginx' })],
        ports: [{ protocol: 'TCP', port: 'http' }],
      },
      { from: [namespaced('monitoring')], ports: [{ protocol: 'TCP', port: 9464 }] },
    ]);
  });

  test('reaches the name server, the database and addresses with TLS', () => {
    expect(network.spec.egress).toEqual([
      {
        to: [namespaced('kube-system', { 'k8s-app': 'kube-dns' })],
        ports: [
          { protocol: 'UDP', port: 53 },
          { protocol: 'TCP', port: 53 },
        ],
      },
      { to: [{ ipBlock: { cidr: '10.20.0.0/24' } }], ports: [{ protocol: 'TCP', port: 5432 }] },
      { ports: [{ protocol: 'TCP', port: 443 }] },
    ]);
  });
});

describe('the settings for Kubernetes', () => {
  test('exist, and are each given once', () => {
    const names = [...Object.keys(configMap.data), ...variables.map(({ name }) => name)];
    expect(names.filter((name) => !SETTINGS.some(({ variable }) => variable === name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('are taken by the service', () => {
    const texts = {
      ...plain,
      DATABASE_URL: 'postgres://parley:5f2c@db/parley',
      PARLEY_OWNER_KEY: `pok_${'a'.repeat(48)}`,
    };
    expect(readSettings(texts)).toMatchObject({
      publicUrl: 'https://parley.example.com',
      trustedProxies: ['10.244.7.0/28'],
      pathTokens: false,
      sharedLimits: true,
      drainSeconds: 10,
    });
  });

  test('come from the secret if they are secrets, under their own names', () => {
    const secret = SETTINGS.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);
    expect(secrets.map(({ variable }) => variable).toSorted()).toEqual(secret.toSorted());
    for (const { variable, name, key } of secrets) expect([name, key]).toEqual(['parley', variable]);
  });

  test('must be there where the service would otherwise open a database or make a key of its own', () => {
    const required = secrets.filter(({ optional }) => !optional).map(({ variable }) => variable);
    expect(required).toEqual(['DATABASE_URL', 'PARLEY_OWNER_KEY']);
  });

  test('are not mixed with variables that Kubernetes makes of services', () =>
    expect(pod.enableServiceLinks).toBe(false));
});

describe('the life of a pod', () => {
  let running: RunningService;
  beforeAll(async () => {
    running = await runService();
  });
  afterAll(() => running.close());

  const statusOf = async (path: string): Promise<number> => (await fetch(`${running.url}${path}`)).status;

  test.each(['startupProbe', 'livenessProbe', 'readinessProbe'])('has a %s on a route that there is', async (name) => {
    const { httpGet } = container[name];
    expect(httpGet.port).toBe('http');
    expect(await statusOf(httpGet.path)).toBe(200);
    expect(await statusOf(`${httpGet.path}z`)).toBe(404);
  });

  test('is ended by a process that hangs alone, not by a database that is away', () => {
    const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => container[name].httpGet.path);
    expect(paths).toEqual(['/healthz', '/healthz', '/readyz']);
    // The readiness check of Parley waits two seconds for the database.
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(2);
  });

  test('is long enough for the drain, the second of notice, ten seconds of unfinished answers and the storage', () => {
    const drainSeconds = Number(plain.PARLEY_DRAIN_SECONDS);
    expect(drainSeconds).toBeGreaterThanOrEqual(5);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drainSeconds + 1 + 10 + 5);
  });

  test('overlaps with that of its successor, and one disruption at a time is allowed', () => {
    expect(deployment.spec.replicas).toBe(2);
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(budget.spec.maxUnavailable).toBe(1);
  });

  test('is that of a user without rights on a root that cannot be written', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 });
    expect(container.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
  });
});

describe('docs/deploy/kubernetes.md', () => {
  const newcomer = createNewcomer();
  afterAll(() => newcomer.leave());

  test('has no block beyond those that are tried, and those of programs that are not here', () => {
    expect(page.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
      'The image: text',
      'The secrets: sh',
      'The secrets: text',
      'Installing it: text',
      'Changes: text',
    ]);
  });

  test('makes the secrets that the pod needs, as the service takes them, readable by nobody else', async () => {
    const { code } = await newcomer.shell(snippetUnder(page, 'The secrets', 'sh'));
    expect(code).toBe(0);
    const file = join(newcomer.folder, 'parley.env');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const made = Object.fromEntries(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s)),
    );
    expect(Object.keys(made)).toEqual(['DATABASE_URL', 'PARLEY_OWNER_KEY']);
    expect(readSettings(made).ownerKey).toMatch(/^pok_[0-9a-f]{48}$/);
    expect(snippetUnder(page, 'The secrets', 'text')).toContain(
      'create secret generic parley --from-env-file=parley.env',
    );
  });
});
