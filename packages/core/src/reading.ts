/** The sections as which the owner reads a contract, and the words for its places. */
export { readSection } from './areas/document/read-with.ts';
export { placeWords } from './areas/reading/location.ts';
