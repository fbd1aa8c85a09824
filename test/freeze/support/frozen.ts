import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Difference, differencesOf } from './differences.ts';
import { type Json, readText, writeText } from './json-text.ts';

const FOLDER = new URL('../recorded/', import.meta.url);
const WANTED = new URL('../wanted.json', import.meta.url);

/** Whether the run writes the recordings. `pnpm freeze:record` sets the variable. */
const IS_RECORDING = process.env.FREEZE === 'record';

/** A difference that is wanted until the recordings are written again. */
interface Wanted {
  /** The recording, and the places in it. `*` stands for any text. */
  readonly where: string;
  readonly why: string;
}

/** How many kinds of differences a failure shows. */
const SHOWN = 40;
const VALUE_CHARS = 300;

/** How a recording is stored. A compressed one is not to be read; a failure shows what differs in either. */
type Form = 'text' | 'compressed';

/**
 * Compares a value with its recording in `recorded/`, or writes the recording if the run records. Fails with the
 * differences that `wanted.json` does not list, and with the wanted differences that do not occur.
 */
export async function expectFrozen(name: string, value: unknown, form: Form = 'text'): Promise<void> {
  const file = new URL(form === 'text' ? `${name}.txt` : `${name}.txt.gz`, FOLDER);
  // As a client gets it: without members that are undefined.
  const found: Json = JSON.parse(JSON.stringify(value));
  const text = writeText(found);
  if (IS_RECORDING) {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(file, form === 'text' ? text : gzipSync(text, { level: 9 }));
    return;
  }
  const stored = await readFile(file);
  const recorded = (form === 'text' ? stored : gunzipSync(stored)).toString();
  const wanted = await wantedIn(name);
  if (recorded === text && wanted.length === 0) return;
  const differences = [...differencesOf(readText(recorded), found)];
  const unlisted = differences.filter((one) => !wanted.some(({ where }) => matches(where, placeOf(name, one))));
  const idle = wanted.filter(({ where }) => !differences.some((one) => matches(where, placeOf(name, one))));
  const problems = [
    ...(unlisted.length === 0 ? [] : [described(name, unlisted)]),
    ...idle.map(({ where }) => `test/freeze/wanted.json lists a difference that does not occur: ${where}`),
    ...(differences.length === 0 && recorded !== text
      ? [`${name}.txt is written in another form: record it again.`]
      : []),
  ];
  if (problems.length > 0) expect.fail(`${problems.join('\n\n')}\n\n${WHAT_TO_DO}`);
}

const WHAT_TO_DO =
  'If a difference is wanted, list it in test/freeze/wanted.json with its reason, or run pnpm freeze:record and say why in the commit.';

async function wantedIn(name: string): Promise<readonly Wanted[]> {
  const all: readonly Wanted[] = JSON.parse(await readFile(WANTED, 'utf8'));
  return all.filter(({ where }) => matches(where.split(' ')[0] ?? '', name));
}

/** Such as `payment-capture CONTRACT agent_a "GET decisions" 200 decisions [] topic`. */
const placeOf = (name: string, { path }: Difference): string => [name, ...path].join(' ');

function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** Describes differences for a reader. Equal differences at several places are described once. */
function described(name: string, differences: readonly Difference[]): string {
  const kinds = new Map<string, string[]>();
  for (const one of differences) {
    const kind = changeOf(one);
    kinds.set(kind, [...(kinds.get(kind) ?? []), placeOf(name, one)]);
  }
  const shown = [...kinds].slice(0, SHOWN).map(([kind, places]) => {
    const more = places.length === 1 ? '' : `, and at ${places.length - 1} more places, such as\n  ${places.at(-1)}`;
    return `${places[0]}${more}\n${kind}`;
  });
  const rest = kinds.size - shown.length;
  return [...shown, ...(rest > 0 ? [`… and ${rest} further differences.`] : [])].join('\n\n');
}

function changeOf({ path, was, is }: Difference): string {
  if (typeof was === 'string' && typeof is === 'string' && was.includes('\n')) return linesOf(was, is);
  const last = path.findLast((part) => part !== '[]') ?? '';
  const line = (sign: string, value: Json | undefined) =>
    value === undefined ? [] : [`  ${sign} ${last}: ${short(value)}`];
  return [...line('-', was), ...line('+', is)].join('\n');
}

const short = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text;
};

/** The lines that differ, between the lines that two texts have in common at their beginning and end. */
function linesOf(was: string, is: string): string {
  const [before, after] = [was.split('\n'), is.split('\n')];
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const part = (sign: string, lines: readonly string[]) =>
    lines
      .slice(start, lines.length - end)
      .slice(0, 12)
      .map((line) => `  ${sign} ${line}`);
  return [...part('-', before), ...part('+', after)].join('\n');
}
