/**
 * Matches a character that readers do not see, or that hides or reorders others: control and format characters,
 * variation selectors, fillers, blanks that are not white space, lone surrogates, and private characters.
 */
const HIDDEN = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800`;
const HIDDEN_LETTER = new RegExp(`[${HIDDEN}]`, 'gu');
/** Matches an emoji, whose parts a joiner or a selector may hold together. */
const EMOJI =
  /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?(?:\u200d\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)*/gu;
const ASCII = /^[ -~]*$/;

/** Matches a text without hidden characters. */
export const ALL_VISIBLE = new RegExp(`^[^${HIDDEN}]*$`, 'u');

/** Whether a name has a hidden character outside of an emoji. */
export const hidesLetters = (name: string): boolean =>
  !ALL_VISIBLE.test(name) && !ALL_VISIBLE.test(name.replace(EMOJI, ''));

/** The name on one line without hidden characters, in Unicode form NFC. May be empty. */
export function visibleName(name: string): string {
  const shown = ASCII.test(name) ? name : name.replace(HIDDEN_LETTER, spaceOrNothing).normalize('NFC');
  return shown.split(/\s+/).join(' ').trim();
}

const spaceOrNothing = (hidden: string): string => (/[\t-\r\u2028\u2029]/.test(hidden) ? ' ' : '');

/**
 * The key by which names are compared that people read: of people, accounts, topics and files. Names have the same key if
 * they differ only in letter case, white space, hidden characters, or forms of the same letter, such as wide or composed
 * ones. The key of a key is the key itself.
 */
export const nameKey = (name: string): string =>
  ASCII.test(name)
    ? visibleName(name.toLowerCase())
    : visibleName(foldedCase(visibleName(name).normalize('NFKC')).normalize('NFKC'));

/** A text without differences of letter case: ß is ss, and a sigma at the end of a word is a sigma. */
const foldedCase = (text: string): string => text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/**
 * Letters that look like Latin letters in one of their cases, each before its Latin letter: those of Cyrillic, Greek, Armenian,
 * Lisu and Cherokee, small capitals of phonetic alphabets, and letters with a stroke.
 */
const LOOK_ALIKES = `аaвbеeѕsіiјjкkмmнhоoрpсcтtуyхxһhԁdԛqԝwӏl αaβbεeζzηhιiκkμmνnοoρpτtυyχx օoոnսuհh
  ɑaɡg ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz øođdħhłlŧtƀbɨiʉuɍrɏyǥgɉj
  ꓮaꓐbꓚcꓓdꓰeꓝfꓖgꓧhꓲiꓙjꓗkꓡlꓟmꓠnꓳoꓑpꓣrꓢsꓔtꓴuꓦvꓪwꓫxꓬyꓜz
  ꭺaᏼbꮯcꭰdꭼeꮐgꮋhꭵiꭻjꮶkꮮlꮇmꮲpꭱrꮪsꭲtꮩvꮃwꭹyꮓz`;
const LATIN_OF: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.match(/\S\S/gu)?.map(([from = '', to = '']) => [from, to]),
);

/** Matches accents and other marks on Latin, Greek and Cyrillic letters, digits and signs. In other scripts marks are vowels. */
const ACCENTS = /(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zyyy}])\p{M}+/gu;

/**
 * A key that is equal for names that a reader can take for each other, such as Mallory, `Ma11ory`, `Mállory` and `mal-lory`:
 * accents and punctuation do not count, and letters of other alphabets count as the Latin letters that they look like. The
 * key is for comparing only: a name keeps its accents.
 */
export function lookKey(name: string): string {
  const key = nameKey(name);
  const bare = /^[ -~]*$/.test(key) ? key : key.normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  const letters = Array.from(bare, (letter) => LATIN_OF.get(letter) ?? letter).join('');
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
  if (/\p{M}{5}/u.test(name.normalize('NFD'))) return 'Must not have more than four marks on one letter.';
  const words = name.normalize('NFC').match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.every((word) => IN_ONE_SCRIPT.test(word)) ? undefined : 'Must not mix scripts in one word.';
}

/** The names that the console, the command line and the audit use for roles and for the service. */
const ROLE_NAMES = ['Owner', 'The owner', 'You', 'Agent A', 'Agent B', 'Moderator', 'Parley', 'System', 'Retention'];
const ROLE_LOOKS: ReadonlySet<string> = new Set([...ROLE_NAMES, 'The application'].map(lookKey));
/** Words that the console and the command line show in brackets behind a name. */
const WORD_LOOKS: ReadonlySet<string> = new Set(['viewer', 'operator', 'approver'].map(lookKey));

/** Matches brackets and quotation marks. */
const BRACKETS = /[\p{Ps}\p{Pe}\p{Pi}\p{Pf}<>]/u;

/**
 * Whether readers could take a name for one that Parley itself uses, also with a word in brackets as in `Owner (2)`, or a
 * part of it for what is shown behind names, as in `Ada (you)` and `Ada (approver)`.
 */
export function isRoleName(name: string): boolean {
  const [whole, first = '', ...rest] = [name, ...name.split(BRACKETS)].map(lookWithoutSigns);
  const words = rest.filter((word) => word !== '');
  return (
    [whole, first, ...words].some((look) => look !== undefined && ROLE_LOOKS.has(look)) ||
    words.some((look) => WORD_LOOKS.has(look))
  );
}

const lookWithoutSigns = (text: string): string => lookKey(text.replace(/[^\P{S}|]|\p{Lm}/gu, ''));
