import type { DocumentSchema } from "./schema-walk.ts";

/** As much of an OpenAPI 3.1 document as its completion reads and writes. */
export interface OpenApiDocument {
  info: { version: string; license?: { name: string; identifier: string } };
  tags?: { name: string; description: string }[];
  paths?: Record<string, Record<string, OpenApiOperation>>;
  webhooks?: Record<string, Record<string, OpenApiOperation>>;
  components?: {
    schemas?: Record<string, DocumentSchema>;
    headers?: Record<string, OpenApiHeader>;
    responses?: Record<string, OpenApiResponse>;
  };
}

export interface OpenApiHeader {
  description: string;
  schema: object;
}

export interface OpenApiContent {
  schema?: DocumentSchema;
  example?: unknown;
}

export interface OpenApiResponse {
  /** The shared response that this one is, without members of its own. */
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, OpenApiContent>;
}

export interface OpenApiParameter {
  name: string;
  in: string;
  description?: string | undefined;
  schema?: DocumentSchema;
  example?: unknown;
}

export interface OpenApiOperation {
  operationId?: string;
  summary?: string;
  description?: string;
  deprecated?: boolean;
  tags?: readonly string[];
  security?: readonly object[];
  parameters?: OpenApiParameter[];
  requestBody?: { content: Record<string, OpenApiContent> };
  responses: Record<string, OpenApiResponse>;
  "x-svc-cache"?: string;
  "x-svc-idempotent"?: boolean;
}

/** An operation with where it is. */
export interface PlacedOperation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly operation: OpenApiOperation;
}

/** Every operation of the API. The requests to webhooks are not among them. */
export function operationsOf(document: OpenApiDocument): PlacedOperation[] {
  return placed(document.paths);
}

/** Every request that the service sends to webhooks. */
export function webhooksOf(document: OpenApiDocument): PlacedOperation[] {
  return placed(document.webhooks);
}

function placed(paths: OpenApiDocument["paths"]): PlacedOperation[] {
  return Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      id: operation.operationId ?? `${method} ${path}`,
      operation,
    })),
  );
}
