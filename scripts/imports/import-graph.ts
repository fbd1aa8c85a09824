import { readdirSync } from 'node:fs';
import { circlesIn } from './circles.ts';
import {
  AREAS,
  areaLayers,
  circlesOfFolders,
  circlesOfRules,
  folderDirectlyIn,
  KERNEL,
  upwardInAreas,
  upwardInKernel,
} from './layers.ts';
import { type Import, importsIn, sourceFiles } from './source-imports.ts';

// `pnpm graph` prints for each package the number of files and imports, the cycles of files and of folders, and the imports
// from a lower to a higher layer.

console.log('package            files  imports  circles of files   circles of folders');
console.log('                                  by value  by type  by value  by type');
for (const name of readdirSync('packages').toSorted()) {
  const folder = `packages/${name}/src`;
  const all = importsIn(folder);
  const byValue = all.filter(({ isTypeOnly }) => !isTypeOnly);
  const figures = [sourceFiles(folder).length, all.length];
  const circles = [byValue, all].map((imports) => circlesIn(imports).length);
  const rooms = [byValue, all].map(
    (imports) => circlesOfFolders(imports, (file) => folderDirectlyIn(folder, file)).length,
  );
  console.log(`${name.padEnd(17)} ${columns(figures, [6, 9])}  ${columns([...circles, ...rooms], [8, 9, 10, 9])}`);
}

const areas = areaLayers();
console.log(`\nkernel: ${KERNEL.join(' → ')}`);
tell('imports upwards', upwardInKernel().map(shown));
console.log(`areas: ${AREAS.join(' → ')} (${AREAS.map((layer) => `${filesOf(layer)} files`).join(', ')})`);
tell('imports upwards', upwardInAreas(areas).map(shown));
tell(
  'circles of the rules',
  circlesOfRules(areas).map((circle) => circle.join(', ')),
);

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
