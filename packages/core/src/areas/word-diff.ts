import { diffArrays } from 'diff';

/** A word of at most 40 letters, a sign or white space; each with the white space after it, so that nothing is lost. */
const TOKEN = /[\p{L}\p{N}_]{1,40}\s*|\s+|[^\p{L}\p{N}_\s]\s*/gu;
/** Characters of unchanged text that are shown on each side of a change. */
const CONTEXT_CHARS = 40;
/** Limit of the search for the shortest diff. Beyond it the whole text is marked as replaced. */
const MAX_EDITS = 1_000;

/**
 * The second text with its changes against the first marked by words, as in git's `--word-diff`: `[-removed-]` and `{+added+}`.
 * Long unchanged parts are shortened to `…`, so the length depends on the changes. Empty for equal texts.
 */
export function wordDiff(before: string, after: string): string {
  if (before === after) return '';
  const parts = diffArrays(tokensOf(before), tokensOf(after), { maxEditLength: MAX_EDITS });
  if (!parts) return `[-${before}-]{+${after}+}`;
  return parts
    .map(({ value, added, removed }, index) => {
      if (removed) return `[-${value.join('')}-]`;
      if (added) return `{+${value.join('')}+}`;
      return shortened(value, { isFirst: index === 0, isLast: index === parts.length - 1 });
    })
    .join('');
}

const tokensOf = (text: string): string[] => text.match(TOKEN) ?? [];

function shortened(tokens: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const whole = tokens.join('');
  const head = isFirst ? '' : within(tokens);
  const tail = isLast ? '' : within([...tokens].reverse(), (shown, token) => token + shown);
  const short = `${head.trimEnd()}${isFirst ? '' : ' '}…${isLast ? '' : ' '}${tail}`;
  return short.length < whole.length ? short : whole;
}

/** The first tokens, as many as fit into CONTEXT_CHARS. */
function within(tokens: readonly string[], join = (shown: string, token: string) => shown + token): string {
  let shown = '';
  for (const token of tokens) {
    if (shown.length + token.length > CONTEXT_CHARS) break;
    shown = join(shown, token);
  }
  return shown;
}
