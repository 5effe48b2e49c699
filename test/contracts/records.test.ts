import hre from "hardhat";
import { type Address, custom, type Hex, keccak256, parseAbi, stringToHex, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployContracts } from "../../scripts/deploy/deploy.ts";
import { LOCAL_REGISTRIES, SOUL_REGISTRY } from "../../scripts/deploy/protocol.ts";

const anchorAbi = parseAbi([
  "function anchor(uint256 batchId, bytes32 root, bytes32 previousRoot, uint256 leafCount, bytes32 leavesArchiveId)",
]);
const soulsAbi = parseAbi(["function SOUL_REGISTRY() view returns (address)"]);
const rolesAbi = parseAbi(["function hasRole(bytes32 role, address account) view returns (bool)"]);

/** 60 gas per chronicle in a batch of 1,000, the whole transaction included. */
const ANCHOR_GAS = 60_000n;

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

async function fixture({ viem, provider }: Connection) {
  const [admin, service] = await viem.getWalletClients();
  if (!admin || !service) throw new Error("The chain has too few accounts.");

  const roles = { admin: admin.account.address };
  const contracts = await deployContracts({
    transport: custom(provider),
    contracts: {
      ...LOCAL_REGISTRIES,
      ...SOUL_REGISTRY,
      bindingRegistry: "BindingRegistry",
      alignmentRegistry: "AlignmentRegistry",
      agentKeys: "AgentKeys",
      chronicleAnchor: "ChronicleAnchor",
    },
    parameters: {
      HumanVerifierRegistry: roles,
      Registrars: { ...roles, registrar: service.account.address },
      BindingRegistry: { ...roles, binder: service.account.address },
      AlignmentRegistry: { ...roles, recorder: service.account.address },
      ChronicleAnchor: { ...roles, anchorer: service.account.address },
    },
  });

  return { publicClient: await viem.getPublicClient(), admin, service, contracts };
}

let connection: Connection;
let at: Awaited<ReturnType<typeof fixture>>;

beforeAll(async () => {
  connection = await hre.network.create();
  at = await fixture(connection);
});

afterAll(async () => {
  await connection.close();
});

describe("the contracts of organizations, bindings, chronicles, alignment and keys", () => {
  it("are deployed over one soul registry", async () => {
    const { soulRegistry, soulCertificate, organizationRegistry, passportWriter } = at.contracts;
    const { bindingRegistry, alignmentRegistry, agentKeys } = at.contracts;
    for (const address of [
      soulCertificate,
      organizationRegistry,
      passportWriter,
      bindingRegistry,
      alignmentRegistry,
      agentKeys,
    ]) {
      expect(
        await at.publicClient.readContract({
          address,
          abi: soulsAbi,
          functionName: "SOUL_REGISTRY",
        }),
      ).toBe(soulRegistry);
    }
  });

  it("give each role to the account of the parameters, and to no other", async () => {
    const { bindingRegistry, alignmentRegistry, chronicleAnchor } = at.contracts;
    const hasRole = (address: Address, role: Hex, account: Address) =>
      at.publicClient.readContract({
        address,
        abi: rolesAbi,
        functionName: "hasRole",
        args: [role, account],
      });
    for (const [address, name] of [
      [bindingRegistry, "BINDER_ROLE"],
      [alignmentRegistry, "ALIGNMENT_ROLE"],
      [chronicleAnchor, "ANCHOR_ROLE"],
    ] as const) {
      const role = keccak256(stringToHex(name));
      expect(await hasRole(address, role, at.service.account.address)).toBe(true);
      expect(await hasRole(address, role, at.admin.account.address)).toBe(false);
      expect(await hasRole(address, zeroHash, at.admin.account.address)).toBe(true);
      expect(await hasRole(address, zeroHash, at.service.account.address)).toBe(false);
    }
  });
});

describe("ChronicleAnchor.anchor", () => {
  const root = (batch: bigint) => keccak256(stringToHex(`root ${batch}`));

  it("costs at most 60 gas per chronicle of a batch of 1,000", async () => {
    for (const batchId of [1n, 2n]) {
      const hash = await at.service.writeContract({
        address: at.contracts.chronicleAnchor,
        abi: anchorAbi,
        functionName: "anchor",
        args: [
          batchId,
          root(batchId),
          batchId === 1n ? zeroHash : root(batchId - 1n),
          1_000n,
          keccak256(stringToHex("archive")),
        ],
      });
      const { gasUsed, status } = await at.publicClient.waitForTransactionReceipt({ hash });
      expect(status).toBe("success");
      // The first batch also changes the counter from zero, which costs more.
      if (batchId > 1n) expect(gasUsed).toBeLessThanOrEqual(ANCHOR_GAS);
    }
  });
});
