import { readFileSync } from 'node:fs';
import type { OpenApi, ServiceFacts } from '@parley/owner-app';

const manifest = new URL('../../packages/owner-app/package.json', import.meta.url);

/**
 * The OpenAPI document as JSON with one line for each path and each schema, so that a diff shows which of them changed.
 */
export function openApiText(documentOf: (facts: ServiceFacts) => OpenApi): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const { paths, components, ...head } = documentOf({ version });
  const { schemas, ...shared } = Object(components);
  const begin = JSON.stringify(head).slice(0, -1);
  const end = JSON.stringify(shared).slice(1);
  return `${begin},"paths":{\n${linesOf(paths)}\n},"components":{"schemas":{\n${linesOf(schemas)}\n},\n${end}}\n`;
}

const linesOf = (entries: unknown): string =>
  Object.entries(Object(entries))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n');
