import { isRecord } from '@parley/core/json';
import type { Json } from '../../../text/read-as.ts';
import { type Part, partOf } from './parts.ts';

/** One answer of an operation. */
export interface Answered {
  /** A status, a range such as `2XX`, or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: Json;
  readonly body: Part | undefined;
}

const STATUS = /^(?:[1-5]\d\d|[1-5]XX|default)$/;

/** What is said of a success without its status. `default` would say it of the errors too. */
const SUCCESS = '2XX';

/** The answers of a member `response`, and the names of members that are none. */
export function answersIn(response: unknown, models: ReadonlySet<string>): { answers: Answered[]; left: string[] } {
  if (isRecord(response) && Object.keys(response).some((name) => STATUS.test(name))) {
    const answers = Object.entries(response)
      .filter(([name]) => STATUS.test(name))
      .map(([status, value]) => answerOf(status, value, models));
    return { answers, left: Object.keys(response).filter((name) => !STATUS.test(name)) };
  }
  const body = partOf(response, models);
  if (body === undefined) return { answers: [], left: [] };
  if (body.kind !== 'text') return { answers: [answerOf(SUCCESS, response, models)], left: [] };
  const [status = SUCCESS] = /^[1-5]\d\d\b/.exec(body.text) ?? [];
  return { answers: [{ status, description: body.text, headers: {}, body: undefined }], left: [] };
}

const PARTS = ['body', 'when', 'headers', 'description', 'meaning'];

function answerOf(status: string, value: unknown, models: ReadonlySet<string>): Answered {
  if (isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => PARTS.includes(name))) {
    const part = partOf(value.body, models);
    const said = [value.when, value.description, value.meaning, part?.kind === 'text' ? part.text : undefined];
    return {
      status,
      description: said.filter((text) => typeof text === 'string').join('\n\n'),
      headers: isRecord(value.headers) ? value.headers : {},
      body: part?.kind === 'text' ? undefined : part,
    };
  }
  const part = partOf(value, models);
  return part?.kind === 'text'
    ? { status, description: part.text, headers: {}, body: undefined }
    : { status, description: '', headers: {}, body: part };
}

/** An error of an operation with its status. `said` is the error as the contract has it. */
export interface ErrorAnswer extends Answered {
  readonly said: unknown;
}

/** The errors whose status is said, and the others. */
export function errorsIn(errors: unknown, models: ReadonlySet<string>): { answers: ErrorAnswer[]; left: unknown[] } {
  const answers: ErrorAnswer[] = [];
  const left: unknown[] = [];
  for (const error of Array.isArray(errors) ? errors : []) {
    const answer = errorAnswer(error, models);
    if (answer) answers.push(answer);
    else left.push(error);
  }
  return { answers, left };
}

function errorAnswer(error: unknown, models: ReadonlySet<string>): ErrorAnswer | undefined {
  if (typeof error === 'string') {
    const [, status] = /^\s*([1-5]\d\d)\b/.exec(error) ?? [];
    return status === undefined
      ? undefined
      : { status, description: error.trim(), headers: {}, body: undefined, said: error };
  }
  if (!isRecord(error) || !STATUS.test(String(error.status))) return undefined;
  const { status, code, meaning, description, body } = error;
  const part = partOf(body, models);
  const words = [code, meaning ?? description].filter((text) => typeof text === 'string');
  return {
    status: String(status),
    description: [words.join(': '), ...(part?.kind === 'text' ? [part.text] : [])].join('\n\n'),
    headers: isRecord(error.headers) ? error.headers : {},
    body: part?.kind === 'text' ? undefined : part,
    said: error,
  };
}
