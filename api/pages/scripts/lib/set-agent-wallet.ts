/** `agentWalletTypedData` of the protocol, for a wallet. */
export function agentWalletRequest(input: {
  readonly chainId: number;
  readonly identityRegistry: string;
  readonly agentId: number;
  readonly newWallet: string;
  readonly owner: string;
  readonly deadline: number;
}) {
  const { chainId, identityRegistry, agentId, newWallet, owner, deadline } = input;
  return {
    domain: {
      name: "ERC8004IdentityRegistry",
      version: "1",
      chainId,
      verifyingContract: identityRegistry,
    },
    types: {
      AgentWalletSet: [
        { name: "agentId", type: "uint256" },
        { name: "newWallet", type: "address" },
        { name: "owner", type: "address" },
        { name: "deadline", type: "uint256" },
      ],
    },
    primaryType: "AgentWalletSet",
    message: { agentId: String(agentId), newWallet, owner, deadline: String(deadline) },
  };
}

/** Calldata of `setAgentWallet(uint256,address,uint256,bytes)`: four words, then the signature's length and bytes. */
export function setAgentWalletData(
  selector: string,
  call: {
    readonly agentId: number;
    readonly newWallet: string;
    readonly deadline: number;
    readonly signature: string;
  },
): string {
  const signature = call.signature.slice(2);
  const padded = signature.padEnd(Math.ceil(signature.length / 64) * 64, "0");
  return [
    selector,
    word(call.agentId.toString(16)),
    word(call.newWallet.slice(2).toLowerCase()),
    word(call.deadline.toString(16)),
    // The signature begins after these four words.
    word((4 * 32).toString(16)),
    word((signature.length / 2).toString(16)),
    padded,
  ].join("");
}

function word(hex: string): string {
  return hex.padStart(64, "0");
}
