const SAYS_PRODUCTION = /(?:prod|production|prd|live)$|^production|^(?:prods|productive)$/;
/** Words for production with a suffix and no separator. The suffix is a region or a kind of environment. */
const SAYS_PRODUCTION_OF =
  /^(?:prod|prd|live)(?:eu|us|uk|de|au|asia|apac|emea|latam|na|env|site|system|server|cluster|db|app|api)$/;
const SAYS_SOMETHING_ELSE = /(?:pre|non)(?:prod|production|prd|live)$|reproduction$|^(?:a|o|re|out)live$/;
const NEGATIONS = new Set(['pre', 'non', 'not', 'no']);

/**
 * Whether an environment's name means production. Splits the name into words at non-letters and at capitals. One word
 * that means production is enough, unless `pre` or `non` precedes it. staging-live-traffic-replay is refused too: real
 * traffic affects real users wherever it is replayed.
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
