import type { Slice } from '../slice.ts';
import type { Preflight } from './record.ts';

export const preflightSlice: Slice<Preflight | null> = {
  empty: null,
  folds: {
    'preflight.submitted': (_, { at, data }) => ({ ...data, submitted_at: at }),
  },
};
