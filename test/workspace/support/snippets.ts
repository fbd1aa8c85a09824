import { readFileSync } from 'node:fs';

export interface Snippet {
  /** The nearest heading above the block. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

const FENCE = /^```(\w*)$/;
const HEADING = /^#+ (.+)$/;

export function snippetsOf(document: string): Snippet[] {
  const snippets: Snippet[] = [];
  let heading = '';
  let open: { readonly language: string; readonly lines: string[] } | undefined;
  for (const line of readFileSync(document, 'utf8').split('\n')) {
    const language = FENCE.exec(line)?.[1];
    if (open && language === '') {
      snippets.push({ heading, language: open.language, code: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (language !== undefined) open = { language, lines: [] };
    else heading = HEADING.exec(line)?.[1] ?? heading;
  }
  return snippets;
}

/** Returns one of the blocks of a language under a heading: block number `place`, counted from 0. */
export function snippetUnder(
  snippets: readonly Snippet[],
  heading: string,
  language: string,
  place: number = 0,
): string {
  const found = snippets.filter((snippet) => snippet.heading === heading && snippet.language === language)[place];
  if (!found) throw new Error(`Under "${heading}" there is no ${language} block at place ${place}.`);
  return found.code;
}
