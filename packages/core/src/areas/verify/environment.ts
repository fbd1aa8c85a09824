const PRODUCTION_WORD =
  /^(?:prod|prd|live)\d*$|^production|^prod(?:eu|us|uk|au|asia|apac|emea|latam|na)\d*$|prod$|production$/;
const BEFORE_PRODUCTION_WORD = /^(?:pre|non)-?(?:prod|production)\d*$/;
const NEGATIONS = new Set(['pre', 'non', 'not', 'no']);

/**
 * Whether an environment's name says production. The name is read word by word, split at anything but letters and
 * digits and where capitals begin; one word that means production is enough, unless pre or non stands before it.
 * So staging-live-traffic-replay is refused as well: real traffic touches real users, wherever it is replayed.
 */
export function isProduction(environment: string): boolean {
  const words = environment
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  return words.some((word, index) => {
    if (!PRODUCTION_WORD.test(word) || BEFORE_PRODUCTION_WORD.test(word)) return false;
    return !NEGATIONS.has(words[index - 1] ?? '');
  });
}
