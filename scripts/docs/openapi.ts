import { openApiDocument } from '@parley/owner-app';
import { openApiText } from '../openapi-text.ts';

/** The document that a running server gives at `/openapi.json`; the package ships it. */
export const file = 'packages/owner-app/openapi.json';

export const render = (): string => openApiText(openApiDocument);
