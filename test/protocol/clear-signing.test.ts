import { globSync, readFileSync } from "node:fs";
import { getAddress, hashStruct, type TypedDataDefinition } from "viem";
import { describe, expect, it } from "vitest";
import { clearSigningDescriptor } from "../../protocol/clear-signing.ts";
import * as abis from "../../protocol/generated/abi.ts";
import {
  SIGNED_SENTENCES,
  SIGNED_TYPES,
  type SignedContract,
  type StructFields,
} from "../../protocol/signed-messages.ts";
import { domainVersion } from "../../protocol/typed-data.ts";
import { renderAsWallet } from "../fixtures/clear-signing-wallet.ts";

const PLACE = {
  chainId: 8453,
  address: getAddress("0x1111111111111111111111111111111111111111"),
} as const;
const CONTRACTS = Object.keys(SIGNED_TYPES) as SignedContract[];
/** Each message of each contract. */
const MESSAGES = CONTRACTS.flatMap((contract) =>
  Object.entries<string>(SIGNED_SENTENCES[contract]).map(
    ([message, sentence]) => [contract, message, sentence] as const,
  ),
);

type Structs = Readonly<Record<string, StructFields>>;

/** A value of an EIP-712 type that differs for each field. */
function sampleOf(type: string, structs: Structs, seed: number): unknown {
  if (type.endsWith("[]")) {
    const member = type.slice(0, -2);
    return [0, 1].map((index) => sampleOf(member, structs, seed + 50 * (index + 1)));
  }
  const struct = structs[type];
  if (struct !== undefined) {
    return Object.fromEntries(
      struct.map(({ name, type: field }, index) => [
        name,
        sampleOf(field, structs, seed + index + 1),
      ]),
    );
  }
  const hex = (bytes: number) => `0x${(seed % 256).toString(16).padStart(2, "0").repeat(bytes)}`;
  if (type === "string") return `text ${seed}`;
  if (type === "address") return getAddress(hex(20));
  if (type === "bytes") return hex(3);
  if (type === "bytes32") return hex(32);
  if (type === "bool") return true;
  // Small enough for an enumeration.
  if (type === "uint8") return 1;
  if (["uint256", "uint64", "uint56"].includes(type)) return BigInt(1_800_000_000 + seed);
  return seed;
}

function typedDataOf(contract: SignedContract, primaryType: string) {
  const types: Structs = SIGNED_TYPES[contract];
  return {
    domain: {
      name: contract,
      version: domainVersion(contract),
      chainId: PLACE.chainId,
      verifyingContract: PLACE.address,
    },
    types,
    primaryType,
    message: sampleOf(primaryType, types, 1) as Record<string, unknown>,
  };
}

/** Every EIP-712 type string in the contracts' sources. */
function hashedInSolidity(): string[] {
  const sources = globSync("contracts/**/*.sol", {
    exclude: ["contracts/erc8004/**", "contracts/mocks/**", "contracts/verifiers/**"],
  });
  return sources.flatMap((path) => {
    const constants = readFileSync(path, "utf8").matchAll(/keccak256\(\s*((?:"[^"]*"\s*)+)\)/g);
    return [...constants]
      .map(([, literals = ""]) => literals.replace(/"\s*"/g, "").trim().slice(1, -1))
      .filter((text) => /^[A-Z]\w*\(\w+ \w+/.test(text));
  });
}

describe("the clear-signing descriptors", () => {
  it.each(MESSAGES)("show every field of %s's %s in a wallet", (contract, message, sentence) => {
    const screen = renderAsWallet(
      clearSigningDescriptor(contract, [PLACE]),
      typedDataOf(contract, message),
    );
    expect(screen[0]).toBe(sentence);
    expect(sentence).toMatch(/^[A-Z].{10,70}\.$/);
    // A small screen's line, without repetition.
    const labels = screen.slice(1).map((line) => line.slice(0, line.indexOf(": ")));
    for (const label of labels) expect(label.length).toBeLessThanOrEqual(27);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it("have the types of every struct that a contract hashes", () => {
    const described = CONTRACTS.flatMap((contract) =>
      Object.keys(clearSigningDescriptor(contract, []).display.formats),
    );
    const offChain = [
      ...["AgentUriUpdate", "ValidateAgent", "EmergencyStop"],
      ...["ListInvitations", "EndInvitation"],
      ...["ExportPrivateData", "DeletePrivateData"],
      ...["RegulatoryAudit", "OrganizationAudit"],
    ];
    const onChain = described.filter((type) => !offChain.includes(type.split("(")[0] ?? ""));
    const used = "BatchEntry(";
    const hashed = hashedInSolidity().filter((type) => !type.startsWith(used));
    expect(hashed.length).toBeGreaterThan(15);
    expect([...new Set(onChain)].sort()).toEqual([...new Set(hashed)].sort());
  });

  it("exist for every contract that verifies owners' signatures", () => {
    const verifying = Object.entries(abis)
      .filter(([, abi]) => abi.some((item) => "name" in item && item.name === "cancelFor"))
      .map(([name]) => name.slice(0, -"Abi".length))
      .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
    expect(verifying.sort()).toEqual([...CONTRACTS].sort());
    for (const contract of CONTRACTS) {
      expect(Object.keys(SIGNED_SENTENCES[contract])).toContain("Cancel");
    }
  });

  it("name accounts, times, money, types and levels in readable form", () => {
    const show = (contract: SignedContract, primaryType: string, changes: object) => {
      const typedData = typedDataOf(contract, primaryType);
      Object.assign(typedData.message, changes);
      return renderAsWallet(clearSigningDescriptor(contract, [PLACE]), typedData);
    };
    expect(
      show("AllowanceVault", "SetAllowance", {
        tokenId: 7n,
        epoch: 2,
        version: 3,
        perTransaction: 1_500_000n,
        dailyLimit: 20_000_000n,
        validUntil: 1_800_000_060,
        onlyWithAgentWallet: true,
        nonce: 5n,
        deadline: 1_800_000_000n,
      }),
    ).toEqual([
      "Let your agent's operator pay from your wallet up to these limits.",
      "Agent: 7",
      "Epoch: 2",
      "Version: 3",
      "Limit per payment: 1.5 USDC",
      "Limit per UTC day: 20 USDC",
      "Allowance ends: 2027-01-15T08:01:00Z",
      "Only with agent wallet: true",
      "Nonce (used once): 5",
      "Signature ends: 2027-01-15T08:00:00Z",
    ]);
    expect(show("BindingRegistry", "SetBinding", { trustLevel: 4 })).toContain("Trust: trusted");
    expect(show("SoulRegistry", "RegistrationBatch", {})).toContain("Agent 2 Type: companion");
    expect(show("OrganizationRegistry", "ChangeAdmin", { newAdmin: PLACE.address })).toContain(
      `Next admin: ${PLACE.address}`,
    );
  });

  it("are refused for another name, version, chain, contract or struct", () => {
    const descriptor = clearSigningDescriptor("OrganizationRegistry", [PLACE]);
    const typedData = typedDataOf("OrganizationRegistry", "Join");
    const { domain } = typedData;
    const other = "0x2222222222222222222222222222222222222222";
    for (const [changed, problem] of [
      [{ name: "SoulRegistry" }, "domain.name"],
      [{ version: "2" }, "domain.version"],
      [{ chainId: 1 }, "deployment"],
      [{ verifyingContract: other }, "deployment"],
    ] as const) {
      const moved = { ...typedData, domain: { ...domain, ...changed } };
      expect(() => renderAsWallet(descriptor, moved)).toThrow(problem);
    }
    const [first, ...rest] = SIGNED_TYPES.OrganizationRegistry.Join;
    const types = { ...typedData.types, Join: [...rest, first] };
    expect(() => renderAsWallet(descriptor, { ...typedData, types })).toThrow("no format");
    expect(() =>
      renderAsWallet(clearSigningDescriptor("OrganizationRegistry", []), typedData),
    ).toThrow("deployment");
  });

  it("are refused when a field is not shown, or has no label", () => {
    const descriptor = clearSigningDescriptor("OrganizationRegistry", [PLACE]);
    const typedData = typedDataOf("OrganizationRegistry", "Join");
    const [type, format] = Object.entries(descriptor.display.formats).find(([key]) =>
      key.startsWith("Join("),
    ) as [string, (typeof descriptor.display.formats)[string]];
    const withFields = (fields: typeof format.fields) => ({
      ...descriptor,
      display: { formats: { [type]: { ...format, fields } } },
    });
    expect(() => renderAsWallet(withFields(format.fields.slice(1)), typedData)).toThrow(
      "not shown: tokenId",
    );
    const unlabelled = format.fields.map((field) => ({ ...field, label: "" }));
    expect(() => renderAsWallet(withFields(unlabelled), typedData)).toThrow("no label: tokenId");
  });

  it("have messages that viem can hash", () => {
    for (const [contract, message] of MESSAGES) {
      const typedData = typedDataOf(contract, message) as unknown as TypedDataDefinition;
      expect(() =>
        hashStruct({
          data: typedData.message as never,
          primaryType: message as never,
          types: typedData.types as never,
        }),
      ).not.toThrow();
    }
  });
});
