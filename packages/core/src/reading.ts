/** The sections as which the owner reads a contract. */
export { readSection } from './areas/reading/read-with.ts';
