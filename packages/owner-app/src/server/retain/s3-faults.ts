import { ArchiveUnavailable } from './archive.ts';

/** Thrown if the store has no object of this name. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

interface Named {
  readonly bucket: string;
  readonly region: string;
}

type Advice = (place: Named) => string;

const CREDENTIALS: Advice = () => 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
const TEMPORARY: Advice = () =>
  'Get new temporary credentials, and set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN.';
const REGION: Advice = ({ region }) => `Set AWS_REGION, which is ${region} now, to the region of the bucket.`;

/** What to do about errors with which a store refuses every request of this service. */
const OF_THE_STORE: Readonly<Record<string, Advice>> = {
  AccessDenied: ({ bucket }) =>
    `Allow the access key in AWS_ACCESS_KEY_ID the actions s3:PutObject, s3:GetObject and s3:ListBucket in the bucket ${bucket}. Without s3:ListBucket, the store also answers AccessDenied for a missing object.`,
  AccountProblem: () => 'Ask the provider of the store about your account.',
  AllAccessDisabled: () => 'Ask the provider of the store about your account.',
  AuthorizationHeaderMalformed: REGION,
  ExpiredToken: TEMPORARY,
  InvalidAccessKeyId: CREDENTIALS,
  InvalidBucketName: () => 'Correct the bucket in PARLEY_RETAIN_TO.',
  InvalidToken: TEMPORARY,
  NoSuchBucket: ({ bucket }) => `Create the bucket ${bucket}, or correct PARLEY_RETAIN_TO.`,
  PermanentRedirect: REGION,
  RequestTimeTooSkewed: () => 'Correct the clock of this machine.',
  SignatureDoesNotMatch: CREDENTIALS,
  TemporaryRedirect: REGION,
};

/** The error for an answer whose status is not 200. */
export function refusal(place: Named, key: string, status: number, body: string): Error {
  const [, code = ''] = /<Code>(\w{1,60})<\/Code>/.exec(body) ?? [];
  const object = `s3://${place.bucket}/${key}`;
  if (code === 'NoSuchKey') return new ObjectMissing(`The store has no object ${object}.`);
  const refused = `The store refused ${object} with ${[status, code].filter(Boolean).join(' ')}.`;
  const advice = OF_THE_STORE[code] ?? (status === 401 || status === 403 ? CREDENTIALS : undefined);
  if (advice) return new ArchiveUnavailable(`${refused} ${advice(place)}`);
  return new Error(
    `${refused} A running server repeats the export within an hour. If this happens again, read the log of the store.`,
  );
}

/**
 * The error for a request without an answer. Without a connection it is ArchiveUnavailable, because the store then
 * accepts no request at all.
 */
export function connectionFault(error: unknown, origin: string, isConnected: boolean): Error {
  const reason = reasonOf(error);
  if (isConnected)
    return new Error(
      `The store at ${origin} broke off the connection: ${reason}. A running server repeats the export within an hour.`,
      {
        cause: error,
      },
    );
  return new ArchiveUnavailable(
    `The store at ${origin} cannot be reached: ${reason}. Check AWS_ENDPOINT_URL_S3 and the network.`,
    { cause: error },
  );
}

/**
 * The reason of a failed request. If the request was aborted, the cause of the error contains the reason. If several
 * addresses were tried in vain, the error has a code but no message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return error.cause.message;
  return error.message || ('code' in error ? String(error.code) : error.name);
}
