/** Converts a name to the form of routes and commands: `extendRounds` becomes `extend-rounds`. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
