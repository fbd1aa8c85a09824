/** The sections as which the owner reads a contract, and the words for its places. */
export { placeWords, readSection } from './areas/reading/location.ts';
