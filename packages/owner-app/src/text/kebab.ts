/** `extendRounds` → `extend-rounds`, as in routes and commands. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
