import { diffArrays } from 'diff';

/**
 * Matches a word of at most 40 characters, white space, or any other single character. White space after a word or
 * after another character belongs to the same match, so the joined matches give the whole text.
 */
const TOKEN = /[\p{L}\p{N}_]{1,40}\s*|\s+|[^\p{L}\p{N}_\s]\s*/gu;
/** Maximum number of unchanged characters shown on each side of a change. */
const CONTEXT_CHARS = 40;
/**
 * Maximum number of edits in the search for the shortest diff. If two texts differ by more edits, the whole text is
 * marked as replaced.
 */
const MAX_EDITS = 1_000;

/**
 * Marks by words what changed from `before` to `after`, as `git diff --word-diff` does: `[-removed-]` and `{+added+}`.
 * Long unchanged parts are shortened with `…`. Empty for equal texts.
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
  if (head.length + tail.length >= whole.length) return whole;
  const short = `${head.trimEnd()}${isFirst ? '' : ' '}…${isLast ? '' : ' '}${tail}`;
  return short.length < whole.length ? short : whole;
}

/** Joins tokens from the first on, as many as fit into CONTEXT_CHARS. */
function within(tokens: readonly string[], join = (shown: string, token: string) => shown + token): string {
  let shown = '';
  for (const token of tokens) {
    if (shown.length + token.length > CONTEXT_CHARS) break;
    shown = join(shown, token);
  }
  return shown;
}
