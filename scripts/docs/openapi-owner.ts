import { ownerApiDocument } from '@parley/owner-app';
import { openApiText } from '../openapi-text.ts';

/** The document that a running server gives at `/openapi-owner.json`; the package ships it. */
export const file = 'packages/owner-app/openapi-owner.json';

export const render = (): string => openApiText(ownerApiDocument);
