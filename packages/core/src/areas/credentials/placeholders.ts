/** Characters that people write in place of a secret: stars, dots, a row of x, the brackets of a template. */
const LEFT_OUT = /x{4}|X{4}|\*{3}|\.{3}|…|•{2}|#{4}|_{4}|0{10}|<|>|\{\{|\$\{/;
const STANDS_FOR =
  /example|placeholder|redacted|removed|masked|hidden|omitted|elided|your[-_]|[-_]here\b|change[-_]?me|dummy|sample|replace[-_]?(?:me|with|this)|insert[-_]|fake[-_]|not[-_]?(?:a[-_]?)?real|foobar|deadbeef/i;

/** Sample keys in the documentation of vendors, without their prefixes. */
const DOCUMENTED = [
  '4eC39HqLyjWDarjtT1zdp7dc',
  'TYooMQauvdEDq54NiTphI7jx',
  '16C7e42F292c6912E7710c838347Ae178B4a',
  '17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy',
  'SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe',
];

export const isPlaceholder = (secret: string): boolean =>
  LEFT_OUT.test(secret) || STANDS_FOR.test(secret) || DOCUMENTED.some((key) => secret.includes(key));

const END_CHARS = 24;
const LEAST_DIFFERENT_CHARS = 8;

/** Whether the end of a text has many different characters. Invented samples repeat a few characters. */
export const looksRandom = (secret: string): boolean => new Set(secret.slice(-END_CHARS)).size >= LEAST_DIFFERENT_CHARS;

export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
