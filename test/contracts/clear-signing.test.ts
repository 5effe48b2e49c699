import hre from "hardhat";
import { type Address, custom } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clearSigningDescriptor } from "../../protocol/clear-signing.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { SIGNED_TYPES, type SignedContract } from "../../protocol/signed-messages.ts";
import { domainVersion } from "../../protocol/typed-data.ts";
import { deployContracts, parametersPath, readParameters } from "../../scripts/deploy/deploy.ts";
import { localProtocol } from "../../scripts/deploy/protocol.ts";
import { renderAsWallet } from "../fixtures/clear-signing-wallet.ts";

type Connection = Awaited<ReturnType<typeof hre.network.create>>;

let connection: Connection;
let contracts: Readonly<Record<string, Address>>;

beforeAll(async () => {
  connection = await hre.network.create();
  contracts = await deployContracts({
    transport: custom(connection.provider),
    contracts: localProtocol().deploys,
    parameters: readParameters(parametersPath("local")),
  });
});

afterAll(async () => {
  await connection.close();
});

describe("the clear-signing descriptors", () => {
  it.each(Object.keys(SIGNED_TYPES) as SignedContract[])(
    "have the domain of the deployed %s",
    async (contract) => {
      const address = contracts[
        `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`
      ] as Address;
      const client = await connection.viem.getPublicClient();
      // ERC-5267, which each of the contracts has.
      const [, name, version, chainId, verifyingContract] = await client.readContract({
        address,
        abi: soulRegistryAbi,
        functionName: "eip712Domain",
      });
      const cancellation = {
        domain: { name, version, chainId: Number(chainId), verifyingContract },
        types: SIGNED_TYPES[contract],
        primaryType: "Cancel",
        message: Object.fromEntries(
          SIGNED_TYPES[contract].Cancel.map((field) => [
            field.name,
            (field.type as string) === "address" ? address : 1_800_000_000n,
          ]),
        ),
      };
      const place = { chainId: Number(chainId), address };
      expect(renderAsWallet(clearSigningDescriptor(contract, [place]), cancellation)).toContain(
        "Signature ends: 2027-01-15T08:00:00Z",
      );
      expect(cancellation.domain).toEqual({
        name: contract,
        version: domainVersion(contract),
        chainId: place.chainId,
        verifyingContract: address,
      });
    },
  );
});
