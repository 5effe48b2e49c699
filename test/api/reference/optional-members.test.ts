import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OPTIONAL_MEMBERS } from "../../fixtures/round-trips/members.ts";

// What a request accepts is found again, or was refused by name.

/** Every signed operation takes them, and `test/service/owner-operations.test.ts` checks them. */
const SIGNATURE = ["message", "signature", "signer"];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

const { paths, components } = JSON.parse(readFileSync("docs/openapi.json", "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The optional members of a schema, with those of the schemas inside it. */
function optionalMembers(
  schema: Schema,
  place: { readonly owner: string; readonly path: string; readonly isBody?: boolean },
  seen: readonly string[] = [],
): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    const named = components.schemas[name];
    if (seen.includes(name) || named === undefined) return [];
    const inside = place.isBody === true ? place : { owner: name, path: "" };
    return optionalMembers(named, inside, [...seen, name]);
  }
  const { owner, path } = place;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const items = schema.items === undefined ? [] : [schema.items];
  return [
    ...choices.flatMap((choice) => optionalMembers(choice, place, seen)),
    ...items.flatMap((item) => optionalMembers(item, { owner, path: `${path}[]` }, seen)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
      const at = path === "" ? name : `${path}.${name}`;
      const isOptional = schema.required?.includes(name) !== true && !SIGNATURE.includes(name);
      const inside = optionalMembers(member, { owner, path: at }, seen);
      return isOptional ? [`${owner}.${at}`, ...inside] : inside;
    }),
  ];
}

describe("the optional members of all writes", () => {
  it("each have a place where they are found again", () => {
    const accepted = Object.entries(paths)
      .filter(([path]) => !path.startsWith("/v1/typed-data/"))
      .flatMap(([, operations]) => Object.values(operations))
      .filter(({ deprecated }) => deprecated !== true)
      .flatMap(({ operationId: owner, requestBody }) =>
        Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          optionalMembers(schema, { owner, path: "", isBody: true }),
        ),
      );
    const listed = OPTIONAL_MEMBERS.flatMap(([owner, , members]) =>
      members.split(" ").map((member) => `${owner}.${member}`),
    );
    expect(listed.toSorted()).toEqual([...new Set(accepted)].toSorted());
  });
});
