import { readFileSync } from 'node:fs';
import { openApiDocument } from '@parley/owner-app';

/** The document that a running server gives at `/openapi.json`; the package ships it. */
export const file = 'packages/owner-app/openapi.json';

const manifest = new URL('../../../packages/owner-app/package.json', import.meta.url);

/** A line for each path, so that a change shows what it touches. */
export function render(): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const { paths, ...document } = openApiDocument({ version });
  const lines = Object.entries(Object(paths)).map(([path, item]) => `${JSON.stringify(path)}: ${JSON.stringify(item)}`);
  return `${JSON.stringify(document).slice(0, -1)},"paths":{\n${lines.join(',\n')}\n}}\n`;
}
