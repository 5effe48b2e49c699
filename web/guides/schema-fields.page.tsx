import { Code } from "../ui/components.tsx";
import { type JsonSchema, type OpenApi, resolved } from "./openapi-groups.ts";

/** Deeper than any body; a schema may refer to itself. */
const MAX_DEPTH = 5;

/** What a body holds, member by member. */
export function SchemaFields({
  document,
  schema,
  depth = 0,
}: {
  document: OpenApi;
  schema: JsonSchema;
  depth?: number;
}) {
  const shape = flattened(document, schema);
  if (shape.alternatives.length > 1) {
    return (
      <>
        {shape.alternatives.map((alternative, index) => (
          <>
            <p class="muted">{index === 0 ? "Either" : "or"}</p>
            <SchemaFields document={document} schema={alternative} depth={depth + 1} />
          </>
        ))}
      </>
    );
  }
  const members = Object.entries(shape.properties);
  if (members.length === 0) return <p class="muted">{typeOf(document, schema)}</p>;
  return (
    <dl class="schema">
      {members.map(([name, member]) => (
        <div>
          <dt>
            <Code>{name}</Code>{" "}
            <span class="muted">
              {typeOf(document, member)}
              {shape.required.has(name) ? "" : ", optional"}
            </span>
          </dt>
          <dd>
            {(resolved(document, member).description ?? "").replaceAll("`", "")}
            {depth < MAX_DEPTH ? (
              <Inside document={document} schema={member} depth={depth + 1} />
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The members of an object, or of the objects in a list. */
function Inside({
  document,
  schema,
  depth,
}: {
  document: OpenApi;
  schema: JsonSchema;
  depth: number;
}) {
  const own = nonNull(document, schema);
  const inner = own.items === undefined ? own : nonNull(document, own.items);
  if (Object.keys(flattened(document, inner).properties).length === 0) return null;
  return <SchemaFields document={document} schema={inner} depth={depth} />;
}

interface Shape {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: ReadonlySet<string>;
  readonly alternatives: readonly JsonSchema[];
}

/** An object with everything that it is composed of. */
function flattened(document: OpenApi, schema: JsonSchema): Shape {
  const own = nonNull(document, schema);
  const parts = (own.allOf ?? []).map((part) => flattened(document, part));
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: new Set([...parts.flatMap(({ required }) => [...required]), ...(own.required ?? [])]),
    alternatives: alternativesOf(own),
  };
}

/** The schema without `null`, which its type tells. */
function nonNull(document: OpenApi, schema: JsonSchema): JsonSchema {
  const own = resolved(document, schema);
  const rest = alternativesOf(own);
  const [only] = rest;
  return rest.length === 1 && only !== undefined ? nonNull(document, only) : own;
}

function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return [...(anyOf ?? []), ...(oneOf ?? [])].filter(({ type }) => type !== "null");
}

/** A type in a few words, such as "string or null" or "one of 1, 2, 3". */
function typeOf(document: OpenApi, schema: JsonSchema): string {
  const own = resolved(document, schema);
  if (own.const !== undefined) return JSON.stringify(own.const);
  if (own.enum !== undefined) return own.enum.map((value) => JSON.stringify(value)).join(" or ");
  const choices = [...(own.anyOf ?? []), ...(own.oneOf ?? [])];
  if (choices.length > 0) {
    return [...new Set(choices.map((choice) => typeOf(document, choice)))].join(" or ");
  }
  const types = typeof own.type === "string" ? [own.type] : (own.type ?? ["anything"]);
  return types
    .map((type) => {
      if (type === "array" && own.items) return `list of ${typeOf(document, own.items)}`;
      return own.format === undefined || type === "null" ? type : `${type} (${own.format})`;
    })
    .join(" or ");
}
