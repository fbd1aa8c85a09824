/** A directive of nginx: its name, its arguments, and the directives of its block if it has a block. */
export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  readonly block?: readonly Directive[];
}

const WORD = /\s*(?:#[^\n]*\n|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s;{}"']+|[;{}]))/gy;

/** Parses the subset of nginx settings that this repository uses. Throws if a directive or a block has no end. */
export function readNginx(text: string): Directive[] {
  const words = [...text.matchAll(WORD)].flatMap(([, word]) => (word === undefined ? [] : [word]));
  const [directives, rest] = readBlock(words);
  if (rest.length > 0) throw new Error(`A block is closed that was not opened, before ${rest.slice(0, 4).join(' ')}.`);
  return directives;
}

function readBlock(given: readonly string[]): [Directive[], readonly string[]] {
  const directives: Directive[] = [];
  let words = given;
  while (words.length > 0 && words[0] !== '}') {
    const end = words.findIndex((word) => word === ';' || word === '{' || word === '}');
    const [name = '', ...rest] = words.slice(0, end).map(bare);
    if (end <= 0 || words[end] === '}') throw new Error(`${words.slice(0, 4).join(' ')} has no end.`);
    words = words.slice(end + 1);
    if (given.length > words.length && isOpening(given, words)) {
      const [block, after] = readBlock(words);
      if (after[0] !== '}') throw new Error(`The block of ${name} has no end.`);
      directives.push({ name, words: rest, block });
      words = after.slice(1);
    } else directives.push({ name, words: rest });
  }
  return [directives, words];
}

const isOpening = (given: readonly string[], rest: readonly string[]): boolean =>
  given[given.length - rest.length - 1] === '{';

const bare = (word: string): string => word.replace(/^(["'])(.*)\1$/s, '$2');

export const blocksOf = (directives: readonly Directive[], name: string): Directive[] =>
  directives.flatMap((directive) => [
    ...(directive.name === name && directive.block ? [directive] : []),
    ...blocksOf(directive.block ?? [], name),
  ]);

/** The arguments of a directive in a block, or undefined if the block has no such directive. */
export const saidBy = (block: Directive | undefined, name: string): string | undefined =>
  block?.block?.find((directive) => directive.name === name)?.words.join(' ');
