const SAYS_PRODUCTION = /(?:prod|production|prd|live)$|^production|^(?:prods|productive)$/;
/** Matches a word for production that is joined with a region or a kind of environment, such as prodeu. */
const SAYS_PRODUCTION_OF =
  /^(?:prod|prd|live)(?:eu|us|uk|de|au|asia|apac|emea|latam|na|env|site|system|server|cluster|db|app|api)$/;
const SAYS_SOMETHING_ELSE = /(?:pre|non)(?:prod|production|prd|live)$|reproduction$|^(?:a|o|re|out)live$/;
const NEGATIONS = new Set(['pre', 'non', 'not', 'no']);

/**
 * Whether the name of an environment means production. The name is split into words at characters other than letters
 * and before capitals. A word for production is enough, unless a word such as `pre` or `non` stands before it. So
 * staging-live-traffic-replay means production too, because replayed real traffic affects real users.
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
