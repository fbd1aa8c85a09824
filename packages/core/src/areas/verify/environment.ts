const SAYS_PRODUCTION = /(?:prod|production|prd|live)$|^production|^(?:prods|productive)$/;
/** What comes after the word without a mark between them: a region, or what it is an environment of. */
const SAYS_PRODUCTION_OF =
  /^(?:prod|prd|live)(?:eu|us|uk|de|au|asia|apac|emea|latam|na|env|site|system|server|cluster|db|app|api)$/;
const SAYS_SOMETHING_ELSE = /(?:pre|non)(?:prod|production|prd|live)$|reproduction$|^(?:a|o|re|out)live$/;
const NEGATIONS = new Set(['pre', 'non', 'not', 'no']);

/**
 * Whether an environment's name says production. The name is read word by word, split at anything but letters and where
 * capitals begin; one word that means production is enough, unless pre or non stands before it.
 * So staging-live-traffic-replay is refused as well: real traffic touches real users, wherever it is replayed.
 */
export function isProduction(environment: string): boolean {
  const words = environment
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  return words.some((word, index) => {
    const isNamed = SAYS_PRODUCTION.test(word) || SAYS_PRODUCTION_OF.test(word);
    return isNamed && !SAYS_SOMETHING_ELSE.test(word) && !NEGATIONS.has(words[index - 1] ?? '');
  });
}
