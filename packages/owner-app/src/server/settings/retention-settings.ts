import { AUTO_ON_OFF, matching, oneOf, settingFacts, webAddress, wholeNumber } from '@parley/http-host/program';
import { archivePlace } from './setting-types.ts';

/** The settings for the erasure of ended sessions, and for the archive to which these sessions are exported. */
export const retentionSettings = {
  PARLEY_RETAIN_DAYS: wholeNumber(1, 36_500).optional().register(settingFacts, {
    flag: '--retain-days <number>',
    purpose: 'export and erase each session this many days after its end; if unset, no session is erased',
  }),
  PARLEY_RETAIN_TO: archivePlace().optional().register(settingFacts, {
    flag: '--retain-to <place>',
    purpose:
      'folder or s3://bucket/prefix to which a session is exported before it is erased; needs PARLEY_RETAIN_DAYS',
  }),
  AWS_ENDPOINT_URL_S3: webAddress().optional().register(settingFacts, {
    flag: '--s3-endpoint <url>',
    purpose: 'address of an S3-compatible store for PARLEY_RETAIN_TO; if unset, the store is Amazon S3',
  }),
  AWS_REGION: matching('the name of a region such as eu-central-1', /^[a-z\d-]{1,60}$/i)
    .prefault('us-east-1')
    .register(settingFacts, { flag: '--s3-region <name>', purpose: 'region of the bucket (default us-east-1)' }),
  PARLEY_S3_PATH_STYLE: oneOf(AUTO_ON_OFF).prefault('auto').register(settingFacts, {
    flag: '--s3-path-style <auto|on|off>',
    words: AUTO_ON_OFF,
    purpose:
      'whether the bucket is in the path of the address, not in the host name; auto: only if AWS_ENDPOINT_URL_S3 is set (default auto)',
  }),
  AWS_ACCESS_KEY_ID: matching('the id of an access key of the store', /^[\x21-\x7E]{1,200}$/)
    .optional()
    .register(settingFacts, {
      purpose: 'id of the access key with which the bucket is written and read',
      isSecret: true,
    }),
  AWS_SECRET_ACCESS_KEY: matching('the secret of an access key of the store', /^[\x21-\x7E]{1,500}$/)
    .optional()
    .register(settingFacts, { purpose: 'secret of the access key', isSecret: true }),
  AWS_SESSION_TOKEN: matching('the session token of temporary credentials', /^[\x21-\x7E]{1,8000}$/)
    .optional()
    .register(settingFacts, { purpose: 'session token, if the access key is temporary', isSecret: true }),
};
