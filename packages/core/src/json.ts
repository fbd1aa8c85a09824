/** Reads JSON as the service does: refuses what `JSON.parse` would change or hide, and says where. */
export { readJson } from './kernel/text/json-reading.ts';
export { isRecord } from './kernel/text/json-value.ts';
