import { z } from 'zod';
import { documented } from '../../kernel/operation/documented.ts';
import { PERMISSIONS } from '../../kernel/scopes.ts';
import type { SessionState } from '../state.ts';
import { grantedPermissions, hasModerator } from './rules.ts';

export const ModeratorView = z.strictObject({
  active: z.boolean().describe('True when a moderator has a token, is not stopped, and you admit moderators.'),
  stopped: z.boolean(),
  entitled: z.boolean().describe('Whether you admit moderators; the same in all your sessions.'),
  permissions: z
    .array(z.enum(PERMISSIONS).register(documented, { id: 'Permission' }))
    .describe("Permissions of the moderator's token; without a token, of its open invitation."),
  acked_cursor: z.int().describe('Id of the last event that the moderator acknowledged.'),
});
documented.add(ModeratorView, { id: 'Moderator' });
export const ModeratorResult = z
  .strictObject({ moderator: ModeratorView })
  .register(documented, { id: 'ModeratorResult' });

export const viewModerator = (state: SessionState): z.output<typeof ModeratorView> => ({
  active: hasModerator(state),
  stopped: state.access.isModeratorStopped,
  entitled: state.access.isModeratorEntitled,
  permissions: [...grantedPermissions(state)],
  acked_cursor: state.feed.ackedCursor,
});
