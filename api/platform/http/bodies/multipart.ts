import { ApiError, badRequest } from "../../../kernel/errors.ts";
import { shownName } from "../parameters.ts";

/** One part of a form, as it was sent. */
export interface FormPart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface FormLimits {
  /** Size limit in bytes of the part with this name; null for a name that the form does not have. */
  readonly partBytes: (name: string) => number | null;
  readonly parts: number;
  /** Size limit in bytes of the whole body. */
  readonly bodyBytes: number;
}

/** Most bytes of the headers of one part. */
const HEADER_BYTES = 4096;
const FIRST_CAPACITY = 64 * 1024;
const LINE_END = Buffer.from("\r\n");
const FORM_END = Buffer.from("--");
const HEADERS_END = Buffer.from("\r\n\r\n");

const BOUNDARY =
  /^multipart\/form-data\s*;.*?\bboundary=(?:"([0-9A-Za-z'()+_,./:=? -]{1,70})"|([0-9A-Za-z'+_.-]{1,70}))\s*(?:;|$)/i;

/**
 * The parts of a `multipart/form-data` body (RFC 7578), each as soon as it has arrived. One part is
 * in memory at a time: the sender waits while the caller works on it.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, PAYLOAD_TOO_LARGE.
 */
export async function* formParts(
  request: Pick<Request, "headers" | "body">,
  limits: FormLimits,
): AsyncGenerator<FormPart> {
  const boundary = boundaryOf(request.headers.get("content-type") ?? "");
  if (request.body === null) throw broken("it is empty");
  const reader = request.body.getReader();
  try {
    const input = new FormInput(reader, limits.bodyBytes);
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    const preamble = await input.takeUntil(delimiter, 0, () =>
      broken("text before the first part"),
    );
    preamble.fill(0);
    for (let count = 1; !(await isLast(input)); count += 1) {
      if (count > limits.parts) throw tooMany(limits.parts);
      const headers = await input.takeUntil(HEADERS_END, HEADER_BYTES, () =>
        broken("the headers of a part are too long"),
      );
      const name = nameIn(headers.toString("utf8"));
      const limit = limits.partBytes(name);
      if (limit === null) throw badRequest(shownName(name), "The form has no such part");
      const bytes = await input.takeUntil(delimiter, limit, () => tooLarge(limit, name));
      yield { name, bytes };
    }
    await input.drain();
  } finally {
    reader.releaseLock();
  }
}

/** Whether the delimiter that was just taken ends the form. */
async function isLast(input: FormInput): Promise<boolean> {
  const next = await input.take(2);
  if (next.equals(LINE_END)) return false;
  if (next.equals(FORM_END)) return true;
  throw broken("a delimiter is not at the end of its line");
}

/** What has arrived of a body and was not taken yet. Its first bytes are a line end. */
class FormInput {
  #bytes = Buffer.alloc(FIRST_CAPACITY);
  #start = 0;
  #end = 0;
  #received = 0;

  constructor(
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly limit: number,
  ) {
    // Every delimiter but the first follows a line end.
    this.#append(LINE_END);
  }

  /** Exactly so many bytes. */
  async take(count: number): Promise<Buffer> {
    while (this.#end - this.#start < count) await this.#readMore();
    return this.#remove(count);
  }

  /** Everything up to `mark`, which is taken too. @throws `tooLong()` for more than `limit` bytes. */
  async takeUntil(mark: Buffer, limit: number, tooLong: () => ApiError): Promise<Buffer> {
    for (let searched = 0; ; ) {
      const held = this.#bytes.subarray(this.#start, this.#end);
      const found = held.indexOf(mark, searched);
      if (found > limit || (found < 0 && held.length > limit + mark.length)) throw tooLong();
      if (found >= 0) {
        const taken = this.#remove(found);
        this.#start += mark.length;
        return taken;
      }
      searched = Math.max(0, held.length - mark.length + 1);
      await this.#readMore();
    }
  }

  /** Reads what follows the form, which means nothing. */
  async drain(): Promise<void> {
    for (this.#start = this.#end; await this.#read(); ) this.#start = this.#end;
  }

  #remove(count: number): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(this.#start, this.#start + count));
    // A private text stays in memory no longer than it must.
    this.#bytes.fill(0, this.#start, this.#start + count);
    this.#start += count;
    return taken;
  }

  async #readMore(): Promise<void> {
    if (!(await this.#read())) throw broken("it ends too early");
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.reader.read().catch((cause: unknown) => {
      const message = "The request body could not be read to its end.";
      throw new ApiError("INVALID_REQUEST", { message, cause });
    });
    if (done) return false;
    this.#received += value.byteLength;
    if (this.#received > this.limit) {
      throw new ApiError("PAYLOAD_TOO_LARGE", { details: { limitBytes: this.limit } });
    }
    this.#append(value);
    return true;
  }

  #append(chunk: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + chunk.byteLength > this.#bytes.length) {
      let capacity = this.#bytes.length;
      while (capacity < held + chunk.byteLength) capacity *= 2;
      const bytes = capacity === this.#bytes.length ? this.#bytes : Buffer.alloc(capacity);
      this.#bytes.copy(bytes, 0, this.#start, this.#end);
      this.#bytes = bytes;
      this.#start = 0;
      this.#end = held;
    }
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.byteLength;
  }
}

function boundaryOf(contentType: string): string {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined) return boundary;
  throw new ApiError("UNSUPPORTED_MEDIA_TYPE", {
    message: "Send the files as multipart/form-data.",
  });
}

function nameIn(headers: string): string {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers)?.[1];
  const name = /(?:^|;)\s*name="([^"\r\n]*)"/i.exec(disposition ?? "")?.[1];
  if (name === undefined) throw broken("a part has no name");
  return name;
}

function broken(problem: string): ApiError {
  return new ApiError("INVALID_REQUEST", { message: `The form does not parse: ${problem}.` });
}

function tooMany(parts: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", {
    message: `The form has more than ${parts} parts.`,
    details: { limitParts: parts },
  });
}

function tooLarge(limitBytes: number, part: string): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", {
    message: `A part ${shownName(part)} is larger than ${limitBytes} bytes.`,
    details: { limitBytes },
  });
}
