import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { ApiError, UNREACHABLE } from '../../console/src/api/answers.ts';
import { latestRead, latestReads } from '../../console/src/state/latest-read.ts';

const FAILED = new ApiError(0, UNREACHABLE);

test('the answer of an earlier read does not replace the answer of a later read', () => {
  const begin = latestRead();
  const first = begin();
  const second = begin();
  const third = begin();
  expect(second()).toBe(true);
  expect(first()).toBe(false);
  expect(third()).toBe(true);
  expect(second()).toBe(false);
});

test('the error of an earlier read does not replace the answer of a later read', async () => {
  const error = signal<ApiError | null>(null);
  const read = latestReads(error);
  let fail = (_thrown: ApiError): void => undefined;
  const earlier = read(
    () =>
      new Promise((_resolve, reject) => {
        fail = reject;
      }),
  );
  await read(async (isLatest) => {
    expect(isLatest()).toBe(true);
  });
  fail(FAILED);
  await earlier;
  expect(error.value).toBe(null);

  await read(() => Promise.reject(FAILED));
  expect(error.value).toBe(FAILED);
});
