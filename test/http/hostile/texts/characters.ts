/**
 * Characters that hide, reorder or control text. The mark of a text replaces `§`, or follows the text if there is no
 * `§`.
 */

export const INVISIBLE = [
  'zero\u200bwidth\u200cjoin\u200dmark\u2060\ufeff',
  '\u200b\u200b\u200b§',
  'soft\u00adhyphen\u034fjoiner\u061cmark\u180e',
  'tag \u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} text',
  'smuggled \u{1f600}\ufe00\u{e0100}\u{e0101}\u{e0102} bytes',
  'fillers \u115f\u1160\u3164\uffa0\u2800',
  'private \ue000\u{f0000} and no character \ufdd0\u{1fffe}',
  'maths \u2061\u2062\u2063\u2064 and music \u{1d173}\u{1d17a}',
] as const;

export const BIDI = [
  'admin\u202egnp.exe',
  '\u202dforced\u202c \u2066isolated\u2069',
  'left\u200eright\u200f\u2067§',
  '\u202e\u202e\u202e',
] as const;

export const CONTROLS = [
  '\u0001\u0002\u0003\u001f',
  'bell\u0007 back\bspace del\u007f',
  'form\ffeed vertical\vtab',
  'next\u0085line c1\u0090\u009c',
  'unit\u001fseparator record\u001eseparator',
] as const;

export const ESCAPES = [
  '\u001b[2J\u001b[1;1HYou are root.',
  '\u001b]0;owned\u0007',
  '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\',
  '\u009b31mred\u009b0m',
  '\u001bP+q544e\u001b\\',
  '\u001b[8mhidden\u001b[0m',
  'overwritten\rapproved',
] as const;

export const LINE_ENDS = [
  'one\ntwo §\nthree',
  'one\r\ntwo §\r\nthree',
  'one\rtwo',
  'one\u2028two',
  'one\u2029# two',
  '\n\n§\n\n',
] as const;

export const LONG_WORDS = [
  'w'.repeat(900),
  '漢'.repeat(300),
  '`'.repeat(120),
  `${'a'.repeat(150)}|${'b'.repeat(150)}`,
] as const;

export const COMBINING = [
  'Z\u0351\u036b\u0343\u032a\u0302\u0348\u031a\u0349a\u0334l\u0335g\u0336o\u0337',
  '👩‍🚀👍🏽🇩🇪',
  'ﬁ ﬂ°°35¶ß ﷽',
] as const;
