import { globSync } from "node:fs";
import { ROOT } from "../lib/artifacts.ts";
import { type Sources, solc, sourcesOf } from "../lib/solidity.ts";
import { NotRestated, type WordSort, word } from "./definitions.ts";
import { type Block, type Functions, functionsIn } from "./yul.ts";

interface Variable {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}

interface Layout {
  readonly storage: readonly Variable[];
  readonly types: Readonly<
    Record<
      string,
      {
        readonly label: string;
        readonly numberOfBytes: string;
        readonly members?: readonly Variable[];
      }
    >
  >;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly irAst: Tree; readonly storageLayout: Layout }>>
    >
  >;
}

interface Tree {
  /** The first is the deployed code. */
  readonly subObjects: readonly { readonly code: { readonly block: Block } }[];
}

/** What the compiler made of a contract, before it optimizes. */
export interface Compiled {
  readonly functions: Functions;
  readonly layout: Layout;
}

/**
 * Compiles the named contracts at once.
 *
 * @param changed Sources to take instead of the project's.
 */
export function compileContracts(
  names: readonly string[],
  changed: Sources = {},
): ReadonlyMap<string, Compiled> {
  const paths = names.map((name) => {
    const [path] = globSync(`contracts/**/${name}.sol`, { cwd: ROOT });
    if (path === undefined) throw new NotRestated(`There is no contract ${name} in contracts/.`);
    return path;
  });
  const sources = Object.assign({}, ...paths.map(sourcesOf), changed);
  const { errors = [], contracts } = solc<Output>(sources, {
    // The compiler calls the tree of its intermediate language experimental. Its code is not affected.
    experimental: true,
    outputSelection: Object.fromEntries(
      paths.map((path, index) => [path, { [names[index] as string]: ["irAst", "storageLayout"] }]),
    ),
  });
  const faults = errors.filter(({ severity }) => severity === "error");
  if (faults.length > 0) throw new NotRestated(faults.map((e) => e.formattedMessage).join("\n"));
  return new Map(
    names.map((name, index) => {
      const compiled = contracts?.[paths[index] as string]?.[name];
      const code = compiled?.irAst.subObjects[0]?.code.block;
      if (compiled === undefined || code === undefined)
        throw new NotRestated(`${name} has no code.`);
      return [name, { functions: functionsIn(code), layout: compiled.storageLayout }];
    }),
  );
}

/**
 * Where the compiler keeps a contract's values: `<contract>.<variable>` is the slot, and
 * `<contract>.<struct>.<member>` reads a member of the struct that begins in a slot.
 */
export function layoutDefinitions(
  contract: string,
  { storage, types }: Layout,
  words: WordSort,
): string {
  const slots = storage.map(
    ({ label, slot }) => `(define-fun ${contract}.${label} () Word ${word(slot, words)})`,
  );
  // As integers, members cannot be cut out of a word.
  if (words === "integers") return slots.join("\n");
  const members = Object.values(types).flatMap(({ label, members: inside = [] }) =>
    inside.map((member) => {
      const bits = 8 * Number(types[member.type]?.numberOfBytes);
      const low = 8 * member.offset;
      const place = `(select s (bvadd slot ${word(member.slot)}))`;
      const value = `((_ zero_extend ${256 - bits}) ((_ extract ${low + bits - 1} ${low}) ${place}))`;
      const name = `${label.replace("struct ", "")}.${member.label}`;
      return `(define-fun ${name} ((s Storage) (slot Word)) Word ${value})`;
    }),
  );
  return [...slots, ...members].join("\n");
}
