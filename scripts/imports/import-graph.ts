import { readFileSync } from 'node:fs';
import { circlesIn } from './circles.ts';
import { figuresOf, figuresOfAll, recordedFigures, recordedJourneys } from './figures.ts';
import { AREAS, areaLayers, circlesOfRules, circlesWithin, KERNEL, upwardInAreas, upwardInKernel } from './layers.ts';
import { type Import, importsIn, sourceFiles, sourceFolders } from './source-imports.ts';

// `pnpm graph` prints for each package the number of files, lines and imports, the cycles of files, the cycles of folders,
// the imports from a lower to a higher layer, and what a turn, a poll and an approval run. Files and lines include styles.

console.log('sources            files   lines  imports  circles of files   circles of folders');
console.log('                                          by value  by type             by type');
for (const folder of sourceFolders()) {
  const all = importsIn(folder);
  const { files, lines } = figuresOf(folder);
  const figures = [files, lines, all.length];
  const circles = [all.filter(({ isTypeOnly }) => !isTypeOnly), all].map((imports) => circlesIn(imports).length);
  const rooms = circlesWithin(folder);
  console.log(
    `${nameOf(folder).padEnd(17)} ${columns(figures, [6, 8, 9])}  ${columns([...circles, rooms.length], [8, 9, 20])}`,
  );
  for (const room of rooms) console.log(`  ${room.join(' · ')}`);
}
const sums = figuresOfAll();
console.log(`${'all'.padEnd(17)} ${columns([sums.files, sums.lines], [6, 8])}`);
for (const { files, lines, why } of recordedFigures().slice(-1))
  console.log(`${'recorded'.padEnd(17)} ${columns([files, lines], [6, 8])}  ${why}`);

console.log('\njourneys           files  functions');
for (const [name, journey] of Object.entries(recordedJourneys()))
  console.log(`${name.padEnd(17)} ${columns([journey.files, journey.functions], [6, 11])}`);
console.log();

// Members of JSON that no schema describes, and types that the compiler does not check.
count('reads of foreign JSON', /\breadAs\(/g);
count('casts', /\bas (?:never|unknown|[A-Z][A-Za-z]*)\b(?=[^\n']*$)/gm);

const areas = areaLayers();
console.log(`\nkernel: ${KERNEL.join(' → ')}`);
tell('imports upwards', upwardInKernel().map(shown));
console.log(`areas: ${AREAS.join(' → ')} (${AREAS.map((layer) => `${filesOf(layer)} files`).join(', ')})`);
tell('imports upwards', upwardInAreas(areas).map(shown));
tell(
  'circles of the rules',
  circlesOfRules(areas).map((circle) => circle.join(', ')),
);

function count(what: string, pattern: RegExp): void {
  const found = sourceFolders()
    .flatMap(sourceFiles)
    .map((file) => linesOfCode(file).match(pattern)?.length ?? 0)
    .filter((number) => number > 0);
  console.log(`${what}: ${found.reduce((sum, number) => sum + number, 0)} in ${found.length} files`);
}

/** The text of a file without comments, texts, and imports and exports, in which `as` renames. */
function linesOfCode(file: string): string {
  return readFileSync(file, 'utf8').replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`|^(?:import|export) [^;]*? from/gm,
    '',
  );
}

function nameOf(folder: string): string {
  return folder.split('/').slice(1, -1).join(' ');
}

function filesOf(layer: string): number {
  return [...areas.layerOf.values()].filter((other) => other === layer).length;
}

function columns(figures: readonly number[], widths: readonly number[]): string {
  return figures.map((figure, index) => String(figure).padStart(widths[index] ?? 0)).join('');
}

function tell(what: string, lines: readonly string[]): void {
  console.log(`  ${what}: ${lines.length === 0 ? 'none' : lines.length}`);
  for (const line of lines) console.log(`    ${line}`);
}

function shown({ from, to, isTypeOnly }: Import): string {
  return `${from} → ${to}${isTypeOnly ? ' (type)' : ''}`;
}
