import type { Address, Hex, PublicClient } from "viem";
import { domainSeparator, parseAbi } from "viem";
import type { PermitDomain } from "../../protocol/index.ts";
import { withChainErrors } from "../platform/chain/reverts.ts";

/** ERC-2612, as far as operations need it. */
const permitAbi = parseAbi([
  "function name() view returns (string)",
  "function version() view returns (string)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function nonces(address owner) view returns (uint256)",
]);

/** Reads the domain and the nonces of the permits of a token. */
export function createPermits(client: PublicClient, address: Address, chainId: number) {
  const token = { address, abi: permitAbi } as const;
  let known: PermitDomain | null = null;

  return {
    /** @throws Error when the token computes its domain from other fields than ERC-2612 names. */
    async domain(): Promise<PermitDomain> {
      if (known) return known;
      const [name, version, separator] = await withChainErrors(() =>
        Promise.all([
          client.readContract({ ...token, functionName: "name" }),
          client.readContract({ ...token, functionName: "version" }),
          client.readContract({ ...token, functionName: "DOMAIN_SEPARATOR" }),
        ]),
      );
      const domain = { name, version, chainId, verifyingContract: address };
      const computed: Hex = domainSeparator({ domain: { ...domain, chainId: BigInt(chainId) } });
      if (computed !== separator) {
        throw new Error(`The stablecoin ${address} has an unknown EIP-712 domain.`);
      }
      known = domain;
      return domain;
    },
    /** The only nonce that the token accepts next. */
    nonceOf: (signer: Address) =>
      withChainErrors(() =>
        client.readContract({ ...token, functionName: "nonces", args: [signer] }),
      ),
  };
}
