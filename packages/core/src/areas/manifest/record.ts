import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';

export const AuthorizationsView = z.strictObject({
  build_authorized: z.boolean(),
  deployment_authorized: z.boolean(),
  activation_authorized: z.boolean(),
});
documented.add(AuthorizationsView, { id: 'Authorizations' });
