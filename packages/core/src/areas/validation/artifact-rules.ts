import { ALL_VISIBLE, nameKey } from '../../kernel/name-key.ts';
import { ARTIFACT_NAMES } from '../document/artifact-names.ts';
import type { Rule } from './rule.ts';
import { textsOf } from './texts.ts';

/**
 * Names of the files that are generated for every approved contract. No artifact of a contract may have such a name.
 */
const GENERATED_FILENAMES: readonly string[] = Object.values(ARTIFACT_NAMES);

const MAX_FILENAME_CHARS = 120;
/** Maximum length of a filename on common file systems, in bytes. */
const MAX_FILENAME_BYTES = 255;

const UNSAFE: readonly (readonly [RegExp, string])[] = [
  [/[/\\]/, 'must not name a folder'],
  [/[<>:"|?*]/, 'must not contain any of < > : " | ? *'],
  [/^[.\s-]/, 'must not begin with a dot, a dash or a space'],
  [/[.\s]$/, 'must not end with a dot or a space'],
  [
    /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$) *(?:\.|$)/i,
    'must not be a device name of Windows, such as CON',
  ],
];

/** The reason why some file systems cannot store a file with this name. Null if all file systems can store it. */
export function filenameFault(name: string): string | null {
  if (name.length > MAX_FILENAME_CHARS) return `must have at most ${MAX_FILENAME_CHARS} characters`;
  if (Buffer.byteLength(name) > MAX_FILENAME_BYTES) return `must have at most ${MAX_FILENAME_BYTES} bytes in UTF-8`;
  if (!ALL_VISIBLE.test(name)) return 'must not contain an invisible character';
  if (name !== name.normalize('NFC')) return 'must be in Unicode form NFC';
  return UNSAFE.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

const RESERVED: ReadonlySet<string> = new Set(GENERATED_FILENAMES.map(nameKey));

/** The words of a text, split at the characters that can stand before or after a filename in a sentence. */
const wordsOf = (text: string): string[] =>
  text.split(/[\s"'`()[\]{}<>,;:!?#/]+/).map((word) => word.replace(/\.$/, ''));

/** Rules about the artifacts of a contract and their filenames. */
export const ARTIFACT_RULES: readonly Rule[] = [
  {
    reads: 'contract',
    code: 'FILENAME_UNSAFE',
    severity: 'error',
    explanation: 'The filename of an artifact must be valid on every file system.',
    hint: 'Use letters, digits, dots, dashes and underscores, and no folder.',

    *check({ artifacts }) {
      for (const [at, { filename }] of artifacts.entries()) {
        const fault = filenameFault(filename);
        if (fault !== null) yield { pointer: `/artifacts/${at}/filename`, message: `A filename ${fault}.` };
      }
    },
  },
  {
    reads: 'contract',
    code: 'FILENAME_REPEATED',
    severity: 'error',
    explanation: 'Filenames of artifacts must be unique; capital and small letters count as equal.',
    hint: 'Give one of the two artifacts another filename.',

    *check({ artifacts }) {
      const firstOf = new Map<string, number>();
      for (const [at, { filename }] of artifacts.entries()) {
        const first = firstOf.get(nameKey(filename));
        if (first === undefined) firstOf.set(nameKey(filename), at);
        else yield { pointer: `/artifacts/${at}/filename`, message: `/artifacts/${first} already has this filename.` };
      }
    },
  },
  {
    reads: 'contract',
    code: 'FILENAME_RESERVED',
    severity: 'error',
    explanation: `No artifact may have the name of a file that is generated from the contract: ${GENERATED_FILENAMES.join(', ')}.`,
    hint: 'Give the artifact another name.',

    *check({ artifacts }) {
      for (const [at, { filename }] of artifacts.entries())
        if (RESERVED.has(nameKey(filename)))
          yield {
            pointer: `/artifacts/${at}/filename`,
            message: 'The service generates a file with this name from every contract.',
          };
    },
  },
  {
    reads: 'contract',
    code: 'ARTIFACT_NOT_NAMED',
    severity: 'warning',
    explanation: 'A task, test or interface must name each artifact.',
    hint: 'Name the file in the task, test or interface that uses it.',

    *check(contract) {
      const unnamed = new Map(contract.artifacts.map(({ filename }, at) => [filename, at]));
      for (const { text, kind } of textsOf(contract))
        if (kind !== 'file') for (const word of wordsOf(text)) unnamed.delete(word);
      for (const [filename, at] of unnamed)
        if (wordsOf(filename).length === 1)
          yield { pointer: `/artifacts/${at}`, message: 'Nothing in the contract names this artifact.' };
    },
  },
];
