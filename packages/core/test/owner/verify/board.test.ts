import { describe } from 'vitest';
import { describeOwner } from '../../describe-access.ts';
import { releasable } from '../../story.ts';

describe('board', () => {
  describeOwner('board', { past: releasable, statuses: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] });
});
