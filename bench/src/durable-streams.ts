import type { Request } from './connection.ts';

const CONTENT_TYPE = { 'content-type': 'application/json' };

/** Requests to a Durable Streams server that create a stream, and that wait for what is appended to it from now on. */
export const createStream = (path: string): Request => ({ method: 'PUT', path, headers: CONTENT_TYPE });
export const pollStream = (path: string): Request => ({ method: 'GET', path: `${path}?offset=now&live=long-poll` });
