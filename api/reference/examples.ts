import { readFileSync } from "node:fs";
import { type OpenApiDocument, type OpenApiOperation, operationsOf } from "./openapi.ts";

/** A request that the running service answered with success, and its answer. */
export interface RecordedExample {
  readonly parameters: Readonly<Record<string, string>>;
  /** Null without a body. */
  readonly request: unknown;
  readonly status: number;
  readonly contentType: string;
  /** Null for what is not JSON. */
  readonly answer: unknown;
}

/** By `operationId`; the first is the one whose request is shown. */
export type RecordedExamples = Readonly<Record<string, readonly RecordedExample[]>>;

/** Written by `npm run examples` from what the service's tests send. */
export const EXAMPLES_FILE = new URL("./examples.json", import.meta.url);

/** Adds the recorded requests and answers to their operations. */
export function addExamples(document: OpenApiDocument): void {
  const recorded = JSON.parse(readFileSync(EXAMPLES_FILE, "utf8")) as RecordedExamples;
  for (const { id, operation } of operationsOf(document)) {
    const examples = recorded[id.replace(/Legacy\d*$/, "")] ?? [];
    for (const example of examples) addAnswer(operation, example);
    if (examples[0] !== undefined) addRequest(operation, examples[0]);
  }
}

function addAnswer(operation: OpenApiOperation, { status, contentType, answer }: RecordedExample) {
  const content = operation.responses[status]?.content?.[contentType];
  if (content !== undefined && answer !== null) content.example = answer;
}

function addRequest(operation: OpenApiOperation, { parameters, request }: RecordedExample): void {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  if (content !== undefined && request !== null) content.example = request;
  for (const parameter of operation.parameters ?? []) {
    const value = parameters[parameter.name];
    if (value === undefined) continue;
    parameter.example = parameter.schema?.type === "integer" ? Number(value) : value;
  }
}
