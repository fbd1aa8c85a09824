/** An answer as a value and as its JSON text. Either is made of the other when it is first asked for. */
export interface Reply {
  readonly value: unknown;
  readonly text: string;
}

/** An answer that was just computed. */
export const replyOf = (value: unknown): Reply => new ComputedReply(value);

class ComputedReply implements Reply {
  readonly value: unknown;
  #text: string | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.value);
    return this.#text;
  }
}

/** An answer that was given before. Its value is a new one each time: whoever gets it may change it. */
export class CachedReply implements Reply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}
