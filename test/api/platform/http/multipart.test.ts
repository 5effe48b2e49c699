import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../api/kernel/errors.ts";
import { type FormLimits, formParts } from "../../../../api/platform/http/bodies/multipart.ts";

const LIMITS: FormLimits = {
  partBytes: (name) => (name === "unknown" ? null : 64),
  parts: 4,
  bodyBytes: 4096,
};
const TYPE = "multipart/form-data; boundary=edge";

function request(body: string | Uint8Array, type = TYPE, pieceBytes = 7): Request {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        controller.enqueue(bytes.slice(at, at + pieceBytes));
      }
      controller.close();
    },
  });
  return { headers: new Headers({ "content-type": type }), body: stream } as Request;
}

async function partsOf(given: Request, limits = LIMITS): Promise<[string, string][]> {
  const parts: [string, string][] = [];
  for await (const { name, bytes } of formParts(given, limits)) {
    parts.push([name, Buffer.from(bytes).toString("latin1")]);
  }
  return parts;
}

const part = (name: string, value: string, more = "") =>
  `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

async function refusalOf(given: Request, limits = LIMITS): Promise<string> {
  const error = await partsOf(given, limits).catch((refused: unknown) => refused);
  if (!(error instanceof ApiError)) throw error;
  return `${error.type}: ${error.message}`;
}

describe("a form", () => {
  it("is read in the parts that were sent, however they arrive", async () => {
    const body = `${part("file", "a\r\nb--edge", '; filename="x.yaml"\r\nContent-Type: text/yaml')}${part("salt", "")}--edge--\r\n`;
    for (const pieceBytes of [1, 2, 3, 16, 1000]) {
      expect(await partsOf(request(body, TYPE, pieceBytes))).toEqual([
        ["file", "a\r\nb--edge"],
        ["salt", ""],
      ]);
    }
    expect(await partsOf(request(body, 'multipart/form-data; boundary="edge"'))).toHaveLength(2);
  });

  it("holds what a client's own encoder sent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("file", "salt"), fc.uint8Array({ maxLength: 64 })), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 1, max: 200 }),
        async (sent, pieceBytes) => {
          const form = new FormData();
          for (const [name, bytes] of sent) form.append(name, new Blob([bytes as BlobPart]), "f");
          const encoded = new Response(form);
          const type = encoded.headers.get("content-type") ?? "";
          const body = new Uint8Array(await encoded.arrayBuffer());
          expect(await partsOf(request(body, type, pieceBytes))).toEqual(
            sent.map(([name, bytes]) => [name, Buffer.from(bytes).toString("latin1")]),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is refused with the reason when it is broken", async () => {
    const broken = async (body: string) => refusalOf(request(body));
    const reasons: [string, string][] = [
      ["", "it ends too early"],
      ["--edge", "it ends too early"],
      [part("file", "x"), "it ends too early"],
      [`text${part("file", "x")}--edge--`, "text before the first part"],
      ["--edgex\r\n", "a delimiter is not at the end of its line"],
      ["--edge\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--", "a part has no name"],
      [`--edge\r\n${"x".repeat(5_000)}`, "the headers of a part are too long"],
    ];
    for (const [body, reason] of reasons) {
      const limits = { ...LIMITS, bodyBytes: 10_000 };
      const refusal = await refusalOf(request(body), limits);
      expect(refusal).toBe(`INVALID_REQUEST: The form does not parse: ${reason}.`);
    }
    expect(await broken(`${part("unknown", "x")}--edge--`)).toBe(
      "INVALID_REQUEST: The request is not valid.",
    );
  });

  it("is refused as another media type", async () => {
    for (const type of [
      "",
      "application/json",
      "multipart/form-data",
      "multipart/mixed; boundary=b",
    ]) {
      expect(await refusalOf(request("{}", type))).toBe(
        "UNSUPPORTED_MEDIA_TYPE: Send the files as multipart/form-data.",
      );
    }
  });

  it("is refused above the limit of a part, of its parts and of the body", async () => {
    const exact = `${part("file", "x".repeat(64))}--edge--`;
    expect(await partsOf(request(exact))).toEqual([["file", "x".repeat(64)]]);
    expect(await refusalOf(request(`${part("file", "x".repeat(65))}--edge--`))).toBe(
      "PAYLOAD_TOO_LARGE: A part file is larger than 64 bytes.",
    );
    const many = `${part("file", "x").repeat(5)}--edge--`;
    expect(await refusalOf(request(many))).toBe(
      "PAYLOAD_TOO_LARGE: The form has more than 4 parts.",
    );
    const body = `${exact}${" ".repeat(5_000)}`;
    expect(await refusalOf(request(body))).toBe(
      "PAYLOAD_TOO_LARGE: The request body is too large.",
    );
  });
});
