import type { Client, Hex } from "viem";
import { getChainId, getCode, readContract } from "viem/actions";
import { soulViewAbi } from "../../protocol/generated/abi.ts";
import type { DisclosureChain } from "./document.ts";

/** In the order of ISoulRegistry.Validity. */
const VALID = 2;

/** What the verification of a document reads, from the node of `client` alone. */
export function disclosureChain(client: Client): DisclosureChain {
  return {
    chainId: () => getChainId(client),

    async soul(soulView: Hex, tokenId: bigint) {
      const code = await getCode(client, { address: soulView });
      if (code === undefined || code === "0x") return null;
      const [block, , state] = await readContract(client, {
        address: soulView,
        abi: soulViewAbi,
        functionName: "soulState",
        args: [tokenId],
      });
      if (state.tokenId === 0n) return null;
      const { name: agentName, soulMerkleRoot: merkleRoot, sealer } = state.soul;
      return {
        block,
        agentName,
        merkleRoot,
        valid: state.validity === VALID,
        sealer,
        owner: state.owner,
      };
    },
  };
}
