import { readFileSync } from 'node:fs';

const PARTS = /^(?<before>.*<!-- generated: [^\n]+ -->\n).*(?<after>^<!-- end of what is generated -->\n.*)$/ms;

/**
 * Replaces the generated part of a document. That part stands between `<!-- generated: pnpm docs:<name> -->` and
 * `<!-- end of what is generated -->`.
 *
 * @throws Error if these marks are missing
 */
export function withGeneratedPart(document: string, part: string): string {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
  const { before, after } = PARTS.exec(text)?.groups ?? {};
  if (!before || !after) throw new Error(`${document} lacks the marks around its generated part.`);
  return `${before}\n${part.trim()}\n\n${after}`;
}
