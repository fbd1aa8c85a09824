/** The canonical form of JSON (RFC 8785), and the hashes by which the service names contracts, manifests and artifacts. */
export { canonicalHash, canonicalJson, sha256Hex } from './kernel/text/hash.ts';
