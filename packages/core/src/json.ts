/** Reads JSON as the service does: refuses what `JSON.parse` would change or hide, and says where. */
export { isRecord, type JsonFile, parseOrNull, readJsonFile } from './kernel/text/json-reading.ts';
