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
