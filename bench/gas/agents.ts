import { type Address, type Hex, zeroAddress, zeroHash } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { NO_HUMAN_PROOF, registrationTypedData, storageIdOf } from "../../protocol/index.ts";
import { DEADLINE, hashOf, type Wallet, type World } from "./world.ts";

/** What is registered: a sealed soul on a new passport, with its own operator. */
export function agentOf(name: string, owner: Address) {
  return {
    name,
    agentType: 2,
    owner,
    operator: `0x${hashOf(`operator of ${name}`).slice(-40)}` as Address,
    soulHash: hashOf(`soul of ${name}`),
    soulMerkleRoot: hashOf(`root of ${name}`),
    contentHash: hashOf(`content of ${name}`),
    agentURI: `ar://${storageIdOf(hashOf(`file of ${name}`))}`,
    archiveId: hashOf(`archive of ${name}`),
  } as const;
}

export type Agent = ReturnType<typeof agentOf>;

/**
 * Submits the owner's signature as the service does. `expected` are the predicted ids, which are
 * correct.
 */
export async function sendRegistration(
  world: World,
  owner: Wallet,
  agent: Agent & { readonly operator: Address },
  expected: { readonly passportId: bigint; readonly tokenId: bigint },
): Promise<Hex> {
  const { agentURI, archiveId, ...signed } = agent;
  const message = {
    ...signed,
    bindPassport: false,
    passportId: 0n,
    // The service publishes a new passport's URI.
    agentURI: "",
    parentTokenId: 0n,
    organizationId: 0n,
    seal: true,
    humanVerifier: zeroAddress,
    humanProofHash: zeroHash,
    nonce: BigInt(hashOf(`nonce of ${agent.name}`)),
    deadline: DEADLINE,
  } as const;
  const publication = {
    archiveId,
    agentURI,
    agentURIWithoutIds: agentURI,
    expectedPassportId: expected.passportId,
    expectedTokenId: expected.tokenId,
    reservation: 0n,
  };
  const signature = await owner.signTypedData(
    registrationTypedData({
      chainId: world.chainId,
      verifyingContract: world.at.souls,
      message,
    }),
  );
  return await world.service.writeContract({
    address: world.at.souls,
    abi: soulRegistryAbi,
    functionName: "register",
    args: [message, publication, NO_HUMAN_PROOF, "0x", signature],
  });
}
