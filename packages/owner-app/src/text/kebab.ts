/** `extendRounds` → `extend-rounds`: how routes and commands spell an operation. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
