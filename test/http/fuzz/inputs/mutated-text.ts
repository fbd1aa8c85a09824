import fc from 'fast-check';

type Change = (text: string) => string;

const splice =
  (at: number, removed: number, inserted: string): Change =>
  (text) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + inserted + text.slice(from + removed);
  };

const FRAGMENTS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\u0000',
  '\\ud800',
  '\u0000',
  '1e999',
  '-',
  '"a":1,',
  '\ufeff',
];

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(fc.nat(2_000), fc.nat(3), fc.constantFrom(...FRAGMENTS)).map((args) => splice(...args)),
  fc.tuple(fc.nat(2_000), fc.nat(20), fc.string({ unit: 'binary', maxLength: 5 })).map((args) => splice(...args)),
  fc.nat(2_000).map(
    (at): Change =>
      (text) =>
        text.slice(0, at % (text.length + 1)),
  ),
  fc.constant<Change>((text) => text.replace(/"(\w+)":/, '"$1":0,"$1":')),
  fc.constant<Change>((text) => `${text}${text}`),
  fc.constant<Change>((text) => `${text}${' '.repeat(200_000)}`),
);

/** Usually changes nothing. Sometimes changes JSON text into a form that `JSON.stringify` never produces. */
export const textChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 15, arbitrary: fc.constant<Change>((text) => text) },
  { weight: 1, arbitrary: change },
);
