/** How many characters a well-formed text has. Characters are code points, in every limit of the interface. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at += 1) if (isHighSurrogate(text.charCodeAt(at))) count -= 1;
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
