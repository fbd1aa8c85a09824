/** Converts `extendRounds` to `extend-rounds`, the form of routes and commands. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
