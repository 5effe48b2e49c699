import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem";
import { identityRegistryAbi, passportWriterAbi } from "../../../protocol/generated/abi.ts";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../../kernel/unsigned-transactions.ts";

/** Transactions about passports, for their owners to sign. */
export function createPassportTransactions(options: {
  readonly chainId: number;
  readonly identityRegistry: Address;
  readonly passportWriter: Address;
}): PassportTransactions {
  const { chainId, identityRegistry, passportWriter } = options;
  const abi = identityRegistryAbi;
  const unsigned = (to: Address, data: Hex): UnsignedTransaction => ({
    chainId,
    to,
    data,
    value: "0",
  });
  return {
    approve: (passportId) =>
      unsigned(
        identityRegistry,
        encodeFunctionData({ abi, functionName: "approve", args: [passportWriter, passportId] }),
      ),
    setAgentUri: (passportId, uri) =>
      unsigned(
        identityRegistry,
        encodeFunctionData({ abi, functionName: "setAgentURI", args: [passportId, uri] }),
      ),
    sync: (tokenId) =>
      unsigned(
        passportWriter,
        encodeFunctionData({ abi: passportWriterAbi, functionName: "sync", args: [[tokenId]] }),
      ),
  };
}
