import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { circlesIn, reachedFrom } from '../../scripts/imports/circles.ts';
import { figuresOfAll, recordedFigures, risen } from '../../scripts/imports/figures.ts';
import {
  areaLayers,
  areaOf,
  circlesOfFolders,
  circlesOfRules,
  circlesWithin,
  isOperation,
  upwardInAreas,
  upwardInKernel,
} from '../../scripts/imports/layers.ts';
import { type Import, importsIn, sourceFiles, sourceFolders } from '../../scripts/imports/source-imports.ts';

/** Maps each package to the packages that it may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  core: [],
  'storage-pg': ['core'],
  'http-host': ['core', 'storage-pg'],
  'mcp-host': ['core', 'http-host', 'storage-pg'],
  missions: ['core'],
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
    const reached = reachedFrom([`packages/${name}/src/index.ts`], importsIn(`packages/${name}/src`));
    expect(reached).not.toContain('@parley/storage-pg');
  });

  test('have no folders of sources but these', () => {
    expect(sourceFolders()).toEqual([
      'packages/core/src',
      'packages/http-host/src',
      'packages/mcp-host/src',
      'packages/missions/src',
      'packages/owner-app/console/src',
      'packages/owner-app/src',
      'packages/storage-pg/src',
    ]);
  });
});

describe.each(sourceFolders())('%s', (folder) => {
  test('has no source file above 500 lines that does not begin with a comment', () => {
    const texts = sourceFiles(folder).map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    const wrong = texts.filter(({ text }) => text.split('\n').length > 501 && !text.startsWith('/**'));
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  test('has no circle of files, by value or by type', () => {
    expect(circlesIn(importsIn(folder))).toEqual([]);
  });

  test('has no circle of the folders and files beside each other, by value or by type', () => {
    expect(circlesWithin(folder)).toEqual([]);
  });
});

describe('the sources', () => {
  test('have not grown by more than 1 % above the latest record in scripts/imports/figures.json', () => {
    expect(risen(figuresOfAll(), recordedFigures())).toEqual([]);
  });

  test('are recorded with a reason', () => {
    expect(recordedFigures().filter(({ why }) => why.length < 20)).toEqual([]);
  });

  test('have grown if there are 1,011 files where the latest record has 1,000', () => {
    const records = [
      { files: 2000, lines: 2000 },
      { files: 1000, lines: 1000 },
    ];
    expect(risen({ files: 1011, lines: 1010 }, records)).toEqual(['files: 1011, recorded 1000']);
  });
});

describe('owner-app', () => {
  const SOURCES = 'packages/owner-app/';
  const CONSOLE = `${SOURCES}console/`;
  const roomOf = (file: string) => /^packages\/owner-app\/(?:src\/)?(\w+)\//.exec(file)?.[1];
  const imports = [...importsIn(`${SOURCES}src`), ...importsIn(`${CONSOLE}src`)];

  test('server, command, console and the texts that they share form no circle', () => {
    expect(circlesOfFolders(imports, roomOf)).toEqual([]);
  });

  test('the console takes of the other folders only the texts', () => {
    const taken = imports.filter(({ from, to }) => from.startsWith(CONSOLE) && to.startsWith(`${SOURCES}src/`));
    expect([...new Set(taken.map(({ to }) => roomOf(to)))].toSorted()).toEqual(['text', 'transcript']);
  });

  test('the server takes nothing of the command', () => {
    const wrong = imports.filter(({ from, to }) => roomOf(from) === 'server' && roomOf(to) === 'cli');
    expect(wrong.map(shown)).toEqual([]);
  });
});

describe('core', () => {
  test('the kernel knows no area, no test tool and no entry', () => {
    expect(inKernel.filter(({ to }) => isInCore(to) && !to.includes('/src/kernel/')).map(shown)).toEqual([]);
  });

  test('the kernel imports downwards: leaves, text, log, storage, token, operation, observe, session, waiting, engine, entry', () => {
    expect(upwardInKernel().map(shown)).toEqual([]);
  });

  test('the areas import downwards: events, state, rules, operations', () => {
    expect(upwardInAreas(areaLayers()).map(shown)).toEqual([]);
  });

  test('the rules of the areas form no circle of folders', () => {
    expect(circlesOfRules(areaLayers())).toEqual([]);
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

function isInCore(file: string): boolean {
  return file.startsWith('packages/core/src/');
}

function shown({ from, to }: Import): string {
  return `${from} → ${to}`;
}
