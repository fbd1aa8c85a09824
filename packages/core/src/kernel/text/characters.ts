/** Number of characters of a well-formed text. In every limit of the interface a character is a code point. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if (isHighSurrogate(text.charCodeAt(at))) count -= 1;
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
