/**
 * The heading of a message in the words that follow `You`: `authorizes the build` becomes `authorize the build`. A
 * heading without a verb, such as `turn 3, round 1`, stays the same.
 */
export const secondPerson = (heading: string): string =>
  heading.replace(/^[a-z]+s(?= |$)/, (verb) => (verb === 'does' ? 'do' : verb.slice(0, -1)));
