import { type OpenApiDocument, type OpenApiResponse, operationsOf } from "./openapi.ts";

const ERROR = /`([A-Za-z0-9_]+)`:/g;

/**
 * Puts every error's response once among the components, and refers to it from its operations: the
 * same few errors are two fifths of the document otherwise.
 */
export function shareErrorResponses(document: OpenApiDocument): void {
  const names = new Map<string, string>();
  const shared: Record<string, OpenApiResponse> = {};
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const text = JSON.stringify(response);
      const name = names.get(text) ?? freeName(nameOf(status, response), shared);
      names.set(text, name);
      shared[name] ??= response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  document.components ??= {};
  document.components.responses = shared;
}

/** The error's type, or the status with the number of its types. */
function nameOf(status: string, { description }: OpenApiResponse): string {
  const types = [...(description ?? "").matchAll(ERROR)].map(([, type = ""]) => type);
  return types.length === 1 ? (types[0] ?? status) : `${status}.${types.length}-errors`;
}

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  if (taken[name] === undefined) return name;
  let number = 2;
  while (taken[`${name}.${number}`] !== undefined) number += 1;
  return `${name}.${number}`;
}
