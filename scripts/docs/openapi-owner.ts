import { ownerApiDocument } from '@parley/owner-app';
import { openApiText } from '../openapi-text.ts';

/** The OpenAPI document that a server serves at `/openapi-owner.json`. It is part of the package of the owner app. */
export const file = 'packages/owner-app/openapi-owner.json';

export const render = (): string => openApiText(ownerApiDocument);
