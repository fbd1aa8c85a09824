import { readFileSync } from 'node:fs';

/** Returns each package of npm with the version that is installed, such as `express 5.3.0`. */
export function versionsOf(...packages: readonly string[]): string[] {
  return packages.map((name) => {
    const manifest = readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8');
    return `${name} ${JSON.parse(manifest).version}`;
  });
}
