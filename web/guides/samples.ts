import type { MediaType, ReferencedOperation } from "./openapi-groups.ts";

/** How an operation is called, as text to copy. */
export interface Sample {
  readonly label: "curl" | "client";
  readonly text: string;
}

/** A longer body is read from a file in a sample: the example above it holds it. */
const LONGEST_BODY = 1500;

/** What a signature adds to a body; the client does it. */
const ADDED_BY_SIGNING = new Set(["message", "signature", "signer", "nonce", "permit"]);

/** The environment variable that holds the credential of an operation. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  "any-key": "SVC_API_KEY",
  agent: "SVC_API_KEY",
  "agent-or-signature": "SVC_API_KEY",
  "provisional-key": "SVC_PROVISIONAL_KEY",
  session: "SVC_TOKEN",
};

/** Where a parameter belongs, of those that a caller chooses. */
type Place = "path" | "query";

/** Whether it is for callers with a key or a session only. */
export function needsCredential(operation: ReferencedOperation): boolean {
  return operation["x-svc-access"] !== "none";
}

/** How one operation is called with curl and with the client, by its recorded example. */
export function samplesOf(operation: ReferencedOperation, origin: string): readonly Sample[] {
  return [
    { label: "curl", text: curlSample(operation, origin) },
    { label: "client", text: clientSample(operation, origin) },
  ];
}

/** The address of the recorded example. */
function urlOf(operation: ReferencedOperation, origin: string): string {
  const { path } = operation;
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleValue(operation, name))),
  );
  const query = new URLSearchParams(
    Object.entries(valuesIn(operation, "query")).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  // Between single quotes a shell takes everything but these as it is.
  return `${origin}${filled}${query === "" ? "" : `?${query}`}`.replaceAll("'", "%27");
}

function curlSample(operation: ReferencedOperation, origin: string): string {
  const { method } = operation;
  const url = urlOf(operation, origin);
  const [type, media] = bodyOf(operation);
  const variable = isSigned(media?.example) ? undefined : credentialOf(operation);
  const { option, document } = curlBody(type, media);
  const parts = [
    method === "get" ? `curl '${url}'` : `curl -X ${method.toUpperCase()} '${url}'`,
    variable === undefined ? null : `-H "Authorization: Bearer $${variable}"`,
    operation["x-svc-idempotent"] ? '-H "Idempotency-Key: $(uuidgen)"' : null,
    type === undefined || type.startsWith("multipart/") ? null : `-H 'Content-Type: ${type}'`,
    option,
  ].filter((part) => part !== null);
  return `${parts.join(" \\\n  ")}${document}`;
}

/** A stream of server-sent events, which every browser reads; the client waits for whole answers. */
function isStream({ responses }: ReferencedOperation): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}

function streamSample(operation: ReferencedOperation, origin: string): string {
  return [
    `const events = new EventSource("${urlOf(operation, origin)}");`,
    "events.onmessage = ({ data }) => console.log(JSON.parse(data));",
  ].join("\n");
}

/** The option that sends a body, and the lines that follow the command. */
function curlBody(type: string | undefined, media: MediaType | undefined) {
  if (type === undefined || media === undefined) return { option: null, document: "" };
  if (type.startsWith("multipart/")) return { option: formOf(media), document: "" };
  if (type !== "application/json") return { option: "--data-binary @file", document: "" };
  const text = JSON.stringify(media.example ?? {}, null, 2);
  if (text.length > LONGEST_BODY) return { option: "--data @body.json", document: "" };
  return { option: "--data @- <<'JSON'", document: `\n${text}\nJSON` };
}

/** Files and values of a form, each by its name. */
function formOf({ schema }: MediaType): string {
  const members = Object.entries(schema.properties ?? {});
  const required = members.filter(([name]) => schema.required?.includes(name));
  return (required.length === 0 ? members.slice(0, 1) : required)
    .map(([name, member]) => {
      const isFile = member.format === "binary" || member.items?.format === "binary";
      return `-F '${name}=${isFile ? "@file" : "…"}'`;
    })
    .join(" \\\n  ");
}

function clientSample(operation: ReferencedOperation, origin: string): string {
  if (isStream(operation)) return streamSample(operation, origin);
  const { operationId } = operation;
  const [type, media] = bodyOf(operation);
  const signs = /signature/.test(operation["x-svc-access"] ?? "") && isSigned(media?.example);
  const body = clientBody(type, media, signs);
  const input = [
    entry("path", valuesIn(operation, "path")),
    entry("query", valuesIn(operation, "query")),
    body.input,
    signs ? "signer," : null,
  ].filter((part) => part !== null);
  const call = `client.${signs ? "sign" : "call"}("${operationId}"`;
  return [
    ...body.imports,
    'import { createClient } from "agent-identity-protocol/client";',
    ...AFTER_IMPORTS[signs ? "signed" : "called"],
    `const client = createClient({ service: "${origin}"${clientCredential(operation, signs)} });`,
    input.length === 0
      ? `const answer = await ${call});`
      : `const answer = await ${call}, {\n${indented(input.join("\n"))}\n});`,
  ].join("\n");
}

/** What stands between the import of the client and the client: who signs, where a signature is needed. */
const AFTER_IMPORTS = {
  called: [""],
  signed: [
    'import { privateKeyToAccount } from "viem/accounts";',
    "",
    "// deployment: chain and contracts, from a source that you trust.",
    "const signer = privateKeyToAccount(process.env.OWNER_KEY);",
  ],
} as const;

function clientCredential(operation: ReferencedOperation, signs: boolean): string {
  if (signs) return ", deployment";
  const variable = credentialOf(operation);
  if (variable === undefined) return "";
  return `, ${variable === "SVC_TOKEN" ? "token" : "apiKey"}: process.env.${variable}`;
}

function clientBody(type: string | undefined, media: MediaType | undefined, signs: boolean) {
  if (type === undefined || media === undefined) return { imports: [], input: null };
  const reading = ['import { readFileSync } from "node:fs";'];
  if (type.startsWith("multipart/")) return { imports: [], input: "body: form, // a FormData" };
  if (type !== "application/json") {
    return { imports: reading, input: 'body: readFileSync("file"),' };
  }
  const example = signs ? unsigned(media.example) : media.example;
  const text = JSON.stringify(example ?? {}, null, 2);
  if (text === "{}") return { imports: [], input: signs ? null : "body: {}," };
  if (text.length > LONGEST_BODY) {
    return { imports: reading, input: 'body: JSON.parse(readFileSync("body.json", "utf8")),' };
  }
  return { imports: [], input: `body: ${plainKeys(text)},` };
}

function entry(place: Place, values: Readonly<Record<string, unknown>>): string | null {
  const members = Object.entries(values).map(
    ([name, value]) => `${keyOf(name)}: ${JSON.stringify(value)}`,
  );
  return members.length === 0 ? null : `${place}: { ${members.join(", ")} },`;
}

/** The parameters of one place: all of a path, and of a query those that the example has or that must be there. The first page of a list. */
function valuesIn(operation: ReferencedOperation, place: Place): Record<string, unknown> {
  const chosen = (operation.parameters ?? []).filter(
    (parameter) =>
      parameter.in === place &&
      parameter.name !== "cursor" &&
      (parameter.required || parameter.example !== undefined),
  );
  return Object.fromEntries(chosen.map(({ name }) => [name, exampleValue(operation, name)]));
}

function exampleValue({ parameters }: ReferencedOperation, name: string): unknown {
  const parameter = parameters?.find((one) => one.name === name);
  return parameter?.example ?? parameter?.schema?.example ?? `<${name}>`;
}

function credentialOf(operation: ReferencedOperation): string | undefined {
  return CREDENTIALS[operation["x-svc-access"] ?? ""];
}

function bodyOf({ requestBody }: ReferencedOperation): [string?, MediaType?] {
  return Object.entries(requestBody?.content ?? {})[0] ?? [];
}

function isSigned(example: unknown): boolean {
  return typeof example === "object" && example !== null && "signature" in example;
}

function unsigned(example: unknown): unknown {
  return Object.fromEntries(
    Object.entries(example as object).filter(([name]) => !ADDED_BY_SIGNING.has(name)),
  );
}

/** JSON with its keys as TypeScript spells them. */
function plainKeys(json: string): string {
  return json.replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
