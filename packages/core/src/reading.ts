/** The sections as which the owner reads a contract. */
export { readSection } from './areas/document/read-with.ts';
