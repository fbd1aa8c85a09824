import { ALL_VISIBLE } from '../../../kernel/name-key.ts';
import { ARTIFACT_NAMES } from '../../document/artifact-names.ts';

/**
 * Names of the files that are generated for every approved contract. No artifact of a contract may have such a name.
 */
export const GENERATED_FILENAMES: readonly string[] = Object.values(ARTIFACT_NAMES);

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
