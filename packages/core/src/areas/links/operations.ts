import { z } from 'zod';
import { BuilderRole } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { StatusFields } from './events.ts';

/** Stores what a forge answered to a commit status. A repeated report stores nothing. */
export const reportStatus = defineOperation({
  name: 'reportStatus',
  summary: 'Record what a forge answered to a commit status.',
  access: { owner: true },
  worksAtLimit: true,
  input: z.strictObject({ role: BuilderRole, ...StatusFields }),
  output: z.strictObject({}),

  decide({ links }, { reason, ...status }) {
    const data = { ...status, ...(reason === undefined ? {} : { reason }) };
    const { role, context, commit } = status;
    const last = links[role]?.reports.find((one) => one.context === context && one.commit === commit);
    const isKnown =
      !links[role] ||
      (last?.result === data.result &&
        last.state === data.state &&
        last.reason === reason &&
        (data.result === 'delayed' || last.description === data.description));
    return isKnown ? [] : [{ kind: 'status.reported', data, actor: 'system' }];
  },

  reply: () => ({}),
});
