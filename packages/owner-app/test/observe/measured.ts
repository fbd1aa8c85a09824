import { createMemoryStorage } from '@parley/core';
import { createLog } from '@parley/http-host/program';
import { onTestFinished } from 'vitest';
import { readSettings } from '../../src/server/settings/settings.ts';
import { type RunningServer, startOn } from '../../src/server/start.ts';
import { ask } from '../ask.ts';
import { KEY } from '../running-app.ts';

export interface Measured extends RunningServer {
  readonly metricsUrl: string;
  /** Reads `/metrics`, and returns every sample by its name and labels. */
  scrape(): Promise<ReadonlyMap<string, number>>;
}

/** Starts a server with metrics on a storage in memory. */
export async function startMeasured(environment: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const settings = readSettings({ PORT: '0', PARLEY_METRICS_PORT: '0', PARLEY_OWNER_KEY: KEY, ...environment });
  const server = await startOn(createMemoryStorage(), settings, createLog('silent', process.stderr));
  onTestFinished(() => server.close());
  const metricsUrl = server.metricsUrl ?? '';
  const scrape = async () => samplesOf((await ask(metricsUrl, '/metrics')).text);
  return { ...server, metricsUrl, scrape };
}

export function samplesOf(text: string): ReadonlyMap<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** Returns the samples of one metric by their labels. Samples with the value 0 are left out. */
export const samplesNamed = (samples: ReadonlyMap<string, number>, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...samples]
      .filter(([key]) => key === name || key.startsWith(`${name}{`))
      .filter(([, value]) => value !== 0)
      .map(([key, value]) => [key.slice(name.length), value]),
  );

/** Returns the distinct values of a label in the samples of Parley's metrics. */
export const valuesOf = (samples: ReadonlyMap<string, number>, label: string): readonly string[] => {
  const pattern = new RegExp(`^parley_.*[{,]${label}="([^"]*)"`);
  const values = [...samples.keys()].flatMap((key) => pattern.exec(key)?.[1] ?? []);
  return [...new Set(values)].toSorted();
};
