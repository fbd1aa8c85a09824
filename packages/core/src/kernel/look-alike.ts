import { hidesLetters, nameKey } from './name-key.ts';

/**
 * Letters that look like Latin letters in one of their cases, each before its Latin letter: those of Cyrillic, Greek and
 * Armenian, and the small capitals of phonetic alphabets.
 */
const LOOK_ALIKES = `аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхxһhԁdԛqԝwӏl αaβbεeζzηhιiκkμmνnοoρpτtυyχx օoոnսuհh
  ɑaɡg ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz`;
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.match(/\S\S/gu)?.map(([from = '', to = '']) => [from, to]),
);

/**
 * A key that is equal for names that a reader can take for each other, such as Mallory, `Ma11ory` and `mal-lory`: punctuation
 * does not count either, and letters of other alphabets count as the Latin letters that they look like.
 */
export function lookKey(name: string): string {
  const letters = Array.from(nameKey(name), (letter) => LATIN_OF.get(letter) ?? letter).join('');
  const look = letters
    .replace(/[\p{P}\p{Z}]/gu, '')
    .replace(/[i1|]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
  return look === '' ? letters : look;
}

/** Scripts in which words are written today, and the scripts that words of East Asian languages mix. */
const SCRIPTS =
  `Arab Armn Beng Cyrl Deva Ethi Geor Grek Gujr Guru Hebr Khmr Knda Laoo Mlym Mymr Orya Sinh Taml Telu Thaa
  Thai Tibt Latn,Hani,Hira,Kana Latn,Hani,Bopo Latn,Hani,Hang`
    .split(/\s+/)
    .map((scripts) =>
      scripts
        .split(',')
        .map((script) => `\\p{scx=${script}}`)
        .join(''),
    );
const IN_ONE_SCRIPT = new RegExp(
  [...SCRIPTS.map((letters) => `[${letters}\\p{sc=Zyyy}\\p{sc=Zinh}]`), `[^${SCRIPTS.join('')}]`]
    .map((letter) => `^${letter}*$`)
    .join('|'),
  'u',
);

/** Why readers could take a name of a person or an account for another name. Undefined if they cannot. */
export function nameFault(name: string): string | undefined {
  if (hidesLetters(name)) return 'Must not contain an invisible, blank or private character.';
  const words = name.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.every((word) => IN_ONE_SCRIPT.test(word)) ? undefined : 'Must not mix scripts in one word.';
}

/** The names that the console, the command line and the audit use for roles and for the service. */
const ROLE_NAMES = `Owner,The owner,You,Agent A,Agent B,Moderator,Parley,System,Retention,The application`;
const ROLE_LOOKS: ReadonlySet<string> = new Set(ROLE_NAMES.split(',').map(lookKey));

/** Matches a text in brackets. */
const IN_BRACKETS = /\p{Ps}[^\p{Ps}\p{Pe}]*\p{Pe}/gu;
const YOU = lookKey('You');

/**
 * Whether readers could take a name for one that Parley itself uses, or for their own, which the command line shows as
 * `Ada (you)`.
 */
export const isRoleName = (name: string): boolean =>
  ROLE_LOOKS.has(lookKey(name)) || (name.match(IN_BRACKETS) ?? []).some((text) => lookKey(text) === YOU);
