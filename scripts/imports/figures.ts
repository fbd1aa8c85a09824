import { readFileSync } from 'node:fs';
import { sourceFiles, sourceFolders, styleFiles } from './source-imports.ts';

/** How large the sources of the packages are. */
export interface Figures {
  readonly files: number;
  readonly lines: number;
}

/** Counts the files and lines of one source folder, with its styles. */
export function figuresOf(folder: string): Figures {
  const files = [...sourceFiles(folder), ...styleFiles(folder)];
  return {
    files: files.length,
    lines: files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0),
  };
}

/** Counts the files and lines of all source folders, with their styles. */
export function figuresOfAll(): Figures {
  const all = sourceFolders().map(figuresOf);
  return {
    files: all.reduce((sum, { files }) => sum + files, 0),
    lines: all.reduce((sum, { lines }) => sum + lines, 0),
  };
}

interface Recorded extends Figures {
  readonly why: string;
}

/** The figures that were recorded, the latest at the end. Each record says why the figures are what they are. */
export function recordedFigures(): readonly Recorded[] {
  return JSON.parse(readFileSync('scripts/imports/figures.json', 'utf8'));
}

/** What has risen by more than 1 % above the latest record. Empty if nothing has. */
export function risen(now: Figures, records: readonly Figures[]): string[] {
  const latest = records.at(-1) ?? { files: 0, lines: 0 };
  return (['files', 'lines'] as const)
    .filter((figure) => now[figure] > latest[figure] * 1.01)
    .map((figure) => `${figure}: ${now[figure]}, recorded ${latest[figure]}`);
}

/** How many files and functions a turn, a poll that another process wakes, and an approval run, as `pnpm freeze` compares them. */
export function recordedJourneys(): Readonly<Record<string, { readonly files: number; readonly functions: number }>> {
  return JSON.parse(readFileSync('test/freeze/recorded/journeys.json', 'utf8'));
}
