import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sentContracts } from "../../scripts/lib/artifacts.ts";

// docs/audit.md states who may call what. A function that it leaves out would be out of sight.

const document = readFileSync(new URL("../../docs/audit.md", import.meta.url), "utf8");
const section = document.split("## Entry points and authority")[1]?.split("\n## ")[0] ?? "";

/** The functions of the table, by the contract or the group in its first column. */
const named = new Map<string, string[]>();
let contract = "";
for (const row of section.split("\n").filter((line) => line.startsWith("| "))) {
  const [, first = "", functions = ""] = row.split("|").map((cell) => cell.trim());
  if (first !== "") contract = first;
  const names = [...functions.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  named.set(contract, [...(named.get(contract) ?? []), ...names]);
}
const shared = [...named].filter(([of]) => of.startsWith("all ")).flatMap(([, names]) => names);

const contracts = sentContracts()
  .filter(({ sourceName }) => !sourceName.includes("/erc8004/"))
  .map(({ contractName, abi }) => ({
    contractName,
    functions: abi
      .filter((item) => item.type === "function")
      .filter(({ stateMutability }) => !["view", "pure"].includes(stateMutability))
      .map(({ name }) => name),
  }));

describe("docs/audit.md", () => {
  it.each(contracts)(
    "names what changes the state of $contractName",
    ({ contractName, functions }) => {
      const listed = [...(named.get(contractName) ?? []), ...shared];
      expect(functions.filter((name) => !listed.includes(name))).toEqual([]);
    },
  );

  it("names no function that does not exist", () => {
    const existing = new Set(
      sentContracts().flatMap(({ abi }) => abi.map((item) => ("name" in item ? item.name : ""))),
    );
    expect([...named.values()].flat().filter((name) => !existing.has(name))).toEqual([]);
  });
});
