import { describe, expect, it } from "vitest";
import {
  contractDocs,
  documentInterfaces,
  type Node,
  parseNatSpec,
} from "../../scripts/generate/contract-docs.ts";
import { deployableContracts } from "../../scripts/lib/artifacts.ts";

describe("parseNatSpec", () => {
  it("reads every tag, joins lines and keeps paragraphs", () => {
    expect(
      parseNatSpec(
        [
          "@title A vault",
          "@notice Spends, see {IVault-spend}",
          "and {trySpend}.",
          "",
          "A second paragraph.",
          "@dev Reverts with {Empty}.",
          "@param amount What is spent,",
          "in base units.",
          "@param to Who gets it.",
          "@return left What is left.",
        ].join("\n"),
      ),
    ).toEqual({
      title: "A vault",
      notice: "Spends, see `IVault.spend` and `trySpend`.\n\nA second paragraph.",
      dev: "Reverts with `Empty`.",
      params: [
        ["amount", "What is spent, in base units."],
        ["to", "Who gets it."],
      ],
      returns: [["left", "What is left."]],
    });
  });

  it("reads text without a tag as a notice", () => {
    expect(parseNatSpec("Of a revision.").notice).toBe("Of a revision.");
    expect(parseNatSpec("").notice).toBe("");
  });

  it("leaves braces alone that hold no single name", () => {
    expect(parseNatSpec("{success: true}").notice).toBe("{success: true}");
  });
});

describe("contractDocs", () => {
  const docs = contractDocs();
  const section = (name: string) => {
    const [, after = ""] = docs.split(`\n## ${name}\n`);
    return after.split("\n## ")[0] ?? "";
  };

  it("shows a function with its arguments, results and selector", () => {
    expect(section("IHumanVerifierRegistry")).toContain(`#### statusOf

\`statusOf(address verifier) view returns (VerifierStatus status, uint48 activatableAt)\` · \`0x97a5d5b5\`

Where an adapter stands. Never reverts.

Takes

- \`verifier\`: The adapter.

Returns

- \`status\`: Its state.
- \`activatableAt\`: Of a proposed one, when it can be activated (Unix seconds, inclusive); else 0.
`);
  });

  it("shows events with what is indexed, and errors with their selector", () => {
    const text = section("IHumanVerifierRegistry");
    expect(text).toContain(
      "\n`VerifierActivated(address indexed verifier, address indexed caller)`\n",
    );
    expect(text).toContain("\n`VerifierNotApproved(address verifier)` · `0x");
    expect(text).toContain(
      "The adapter is not approved.\n\nFields\n\n- `verifier`: The adapter.\n",
    );
  });

  it("shows the members of structs with their comments, and of enums with their numbers", () => {
    const text = section("ISoulRegistry");
    expect(text).toContain(
      "| `owner` | `address` | Signer, first sealer, holder of passport and certificate. |",
    );
    expect(text).toContain("| `nonce` | `uint256` | |");
    expect(text).toContain("| 2 | `SEALED` | |");
  });

  it("says what an interface inherits", () => {
    expect(section("ISoulRegistry")).toContain("Also everything of `IOwnerAuthorization`.");
  });

  it("has a section for every interface that a deployed contract of the project has", () => {
    const interfaces = deployableContracts()
      .filter(({ sourceName }) => !sourceName.includes("/erc8004/"))
      .map(({ contractName }) => `I${contractName}`);
    expect(interfaces.filter((name) => section(name) === "")).toEqual([]);
  });
});

describe("documentInterfaces", () => {
  const content = Buffer.from("/// @notice Spends ü.\n/// @param to Who gets it.\nfunction …");
  const comment = { src: `0:${content.indexOf("function")}:0` };
  const node = (nodeType: string, name: string, rest: Partial<Node> = {}): Node => ({
    nodeType,
    name,
    src: "0:0:0",
    ...rest,
  });
  const document = (members: readonly Node[]) => {
    const contract = node("ContractDefinition", "IVault", {
      documentation: comment,
      nodes: members,
    });
    const ast = node("SourceUnit", "", { nodes: [contract] });
    return documentInterfaces([{ name: "IVault", source: { ast, content } }]);
  };

  it("refuses elements without a description, and names all of them", () => {
    const types = ["FunctionDefinition", "EventDefinition", "ErrorDefinition"];
    const bare = types.map((type, index) => node(type, `bare${index}`));
    const tables = [node("StructDefinition", "Terms"), node("EnumDefinition", "State")];

    expect(() => document([...bare, ...tables])).toThrow(
      "These have no @notice: IVault.bare0, IVault.bare1, IVault.bare2, IVault.Terms, IVault.State",
    );
  });

  it("counts positions in bytes", () => {
    const docs = document([node("FunctionDefinition", "spend", { documentation: comment })]);
    expect(docs).toContain("Spends ü.\n\nTakes\n\n- `to`: Who gets it.\n");
  });
});
