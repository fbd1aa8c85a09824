import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Import, importsIn, sourceFiles } from './source-imports.ts';

/** Who may import whom; nothing else. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'storage-pg': ['core'],
  'http-host': ['core', 'storage-pg'],
  'mcp-host': ['core', 'http-host', 'storage-pg'],
  'owner-app': ['core', 'http-host', 'mcp-host', 'missions', 'storage-pg'],
};
const PLATFORM_OF_CORE = ['node:crypto', 'node:timers', 'node:timers/promises'];

const core = importsIn('packages/core/src');
const inKernel = core.filter(({ from }) => from.startsWith('packages/core/src/kernel/'));
const inAreas = core.filter(({ from }) => areaOf(from) !== undefined);

describe('packages', () => {
  test.each(Object.entries(PACKAGES))('%s imports only the packages below it', (name, allowed) => {
    const wrong = importsIn(`packages/${name}/src`).filter(({ to }) => {
      const target = /^@parley\/([^/]+)/.exec(to)?.[1];
      return target !== undefined && !allowed.includes(target);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test.each(Object.keys(PACKAGES))('%s reaches into no other package by path', (name) => {
    const wrong = importsIn(`packages/${name}/src`).filter(
      ({ to }) => to.startsWith('packages/') && !to.startsWith(`packages/${name}/src/`),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  test.each(['http-host', 'mcp-host'])('%s loads no database for those who embed it', (name) => {
    const reached = reachedFrom(`packages/${name}/src/index.ts`, importsIn(`packages/${name}/src`));
    expect(reached).not.toContain('@parley/storage-pg');
  });

  test.each(Object.keys(PACKAGES))('%s has no circular imports', (name) => {
    const imports = importsIn(`packages/${name}/src`).filter(({ isTypeOnly }) => !isTypeOnly);
    const circular = sourceFiles(`packages/${name}/src`).filter((file) => reachedFrom(file, imports).includes(file));
    expect(circular).toEqual([]);
  });
});

describe('core', () => {
  test('the kernel knows no area, no test tool and no entry', () => {
    expect(inKernel.filter(({ to }) => isInCore(to) && !to.includes('/src/kernel/')).map(shown)).toEqual([]);
  });

  test('no area imports an operation of another area', () => {
    const wrong = inAreas.filter(({ from, to }) => {
      const target = areaOf(to);
      return target !== undefined && target !== areaOf(from) && isOperation(to);
    });
    expect(wrong.map(shown)).toEqual([]);
  });

  test('an area imports nothing above it, least of all the registry', () => {
    const isBelow = (file: string) => /\/src\/(kernel|areas)\//.test(file) && !file.endsWith('/areas/registry.ts');
    const wrong = inAreas.filter(({ to }) => isInCore(to) && !isBelow(to));
    expect(wrong.map(shown)).toEqual([]);
  });

  test('uses of the platform only what needs no I/O', () => {
    const wrong = core.filter(({ to }) => to.startsWith('node:') && !PLATFORM_OF_CORE.includes(to));
    expect(wrong.filter(({ from }) => !from.includes('/src/testing/')).map(shown)).toEqual([]);
  });
});

/** `decisions` for a file in `areas/decisions/`; nothing for the registry beside the areas. */
function areaOf(file: string): string | undefined {
  return /^packages\/core\/src\/areas\/([^/]+)\//.exec(file)?.[1];
}

function isOperation(file: string): boolean {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes('defineOperation(');
}

function isInCore(file: string): boolean {
  return file.startsWith('packages/core/src/');
}

function reachedFrom(start: string, imports: readonly Import[]): string[] {
  const reached = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { to } of imports.filter(({ from }) => from === file)) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return [...reached];
}

function shown({ from, to }: Import): string {
  return `${from} → ${to}`;
}
