/** Reads JSON as the service does: refuses what `JSON.parse` would change or hide, and says where. */
export { type JsonFile, readJsonFile } from './kernel/text/json-reading.ts';
export { isRecord, parseOrNull } from './kernel/text/json-value.ts';
