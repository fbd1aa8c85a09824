import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The exports of each module in `scripts/docs/`: the path of the generated file, relative to the root, and a function
 * that returns its text; or a function that returns the texts of several files by their paths.
 */
type Generator =
  | { readonly file: string; render(): string | Promise<string> }
  | { files(): Readonly<Record<string, string>> };

const [argument] = process.argv.slice(2);
const isCheck = argument === '--check';
const root = new URL('../../', import.meta.url);

for (const name of generatorNames()) {
  if (!isCheck && argument !== undefined && argument !== name) continue;
  const generator: Generator = await import(`./docs/${name}.js`);
  const texts = 'files' in generator ? generator.files() : { [generator.file]: await generator.render() };
  for (const [file, wanted] of Object.entries(texts)) settle(name, file, wanted);
}

/** Writes the file, or compares it. */
function settle(name: string, file: string, wanted: string): void {
  const target = new URL(file, root);
  if (!isCheck) {
    writeFileSync(target, wanted);
    console.log(`${file}: written`);
  } else if (wanted !== read(target)) {
    process.exitCode = 1;
    console.error(`${file} differs from what the code generates; run pnpm docs:${name}`);
  } else {
    console.log(`${file}: up to date`);
  }
}

/**
 * Names of the generators. They are read from the sources, because the output folder may contain generators that were
 * deleted.
 */
function generatorNames(): string[] {
  try {
    return readdirSync(new URL('scripts/docs', root)).map((file) => file.replace(/\.ts$/, ''));
  } catch {
    return [];
  }
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
