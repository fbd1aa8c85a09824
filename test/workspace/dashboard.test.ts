import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '../../packages/owner-app/src/server/observing.ts';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly datasource: { readonly uid: string } }[];
}

interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly id?: unknown;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const dashboard: Dashboard = JSON.parse(text('deploy/grafana/parley-dashboard.json'));
const rules: readonly Rule[] = parse(text('deploy/prometheus/alerts.yml')).groups[0].rules;
const graphs = dashboard.panels.filter(({ type }) => type !== 'row');
const shown = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Maps the name of each scraped series to its labels. */
const scraped = new Map<string, Set<string>>();

beforeAll(async () => {
  const metrics = createMetrics();
  metrics.readFrom({
    heldPolls: () => 0,
    cacheUse: () => [{ cache: 'sessions', entries: 0, bytes: 0, limitBytes: 1 }],
    service: { name: 'parley', version: '1.0.0', joining: 'Redeem a code.' },
  });
  metrics.countRequest({ path: '/', status: 200 });
  metrics.observer.answeredError?.('INTERNAL');
  metrics.observer.operationEnded?.({ operation: 'post_turn', kind: 'write', role: 'builder', outcome: 'INTERNAL' }, 1);
  // This series appears only after the first garbage collection, so its only label is set here.
  scraped.set('nodejs_gc_duration_seconds_sum', new Set(['kind']));
  for (const line of (await metrics.text()).split('\n')) {
    const [, name, labels = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name) scraped.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));
  }
});

const namesIn = (expr: string): string[] => expr.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g) ?? [];

/** Labels that an expression uses in selectors or groupings although none of its series has them. */
function unknownLabels(expr: string): string[] {
  const given = new Set(['le', 'instance', 'job', ...namesIn(expr).flatMap((name) => [...(scraped.get(name) ?? [])])]);
  const groupings = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
  const selected = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label = '']) => label),
  );
  return [...groupings, ...selected].filter((label) => !given.has(label));
}

const metricOf = (series: string): string => series.replace(/_(?:bucket|sum|count)$/, '');

describe('the dashboard', () => {
  test('can be imported: a fixed uid, no id, a data source to choose', () => {
    expect(dashboard).toMatchObject({ uid: 'parley-service', title: 'Parley', schemaVersion: 41 });
    expect(dashboard.id).toBeUndefined();
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ]);
  });

  test('gives every panel an id, a title, a sentence, a unit and the chosen data source', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const lacking = graphs.filter(
      ({ title, description, fieldConfig, datasource, targets = [] }) =>
        !title ||
        !description?.endsWith('.') ||
        !fieldConfig?.defaults.unit ||
        [datasource, ...targets.map((target) => target.datasource)].some((source) => source?.uid !== `\${datasource}`),
    );
    expect(lacking.map(({ title }) => title)).toEqual([]);
    expect(graphs.length).toBeGreaterThan(30);
  });

  test('has no panel over another', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  });

  test('asks for series that a scrape has, by labels that they have', () => {
    expect(shown.flatMap(namesIn).filter((name) => !scraped.has(name))).toEqual([]);
    expect(shown.flatMap(unknownLabels)).toEqual([]);
  });

  test('shows every metric of Parley', () => {
    const own = new Set([...scraped.keys()].filter((name) => name.startsWith('parley_')).map(metricOf));
    const asked = new Set(shown.flatMap(namesIn).map(metricOf));
    expect([...own].filter((name) => !asked.has(name))).toEqual([]);
    expect(own.size).toBe(18);
  });
});

describe('the alerts', () => {
  test('ask for series that a scrape has, by labels that they have', () => {
    expect(rules.flatMap(({ expr }) => namesIn(expr)).filter((name) => !scraped.has(name))).toEqual([]);
    expect(rules.flatMap(({ expr }) => unknownLabels(expr))).toEqual([]);
  });

  test('have a name of their own, a severity, and say what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(12);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Parley[A-Z][A-Za-z]+$/);
      expect(labels.severity).toMatch(/^(?:critical|warning)$/);
      expect(annotations.summary).toMatch(/\{\{ \$labels\.instance \}\}/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });
});
