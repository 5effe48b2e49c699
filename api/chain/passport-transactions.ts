import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import type {
  PassportTransactions,
  UnsignedTransaction,
} from "../services/unsigned-transactions.ts";

/** Transactions on the identity registry, for the passport's owner to sign. */
export function createPassportTransactions(options: {
  readonly chainId: number;
  readonly identityRegistry: Address;
  readonly soulRegistry: Address;
}): PassportTransactions {
  const { chainId, identityRegistry: to, soulRegistry } = options;
  const abi = identityRegistryAbi;
  const unsigned = (data: Hex): UnsignedTransaction => ({ chainId, to, data, value: "0" });
  return {
    approve: (passportId) =>
      unsigned(
        encodeFunctionData({ abi, functionName: "approve", args: [soulRegistry, passportId] }),
      ),
    setAgentUri: (passportId, uri) =>
      unsigned(encodeFunctionData({ abi, functionName: "setAgentURI", args: [passportId, uri] })),
    setMetadata: (passportId, key, value) =>
      unsigned(
        encodeFunctionData({ abi, functionName: "setMetadata", args: [passportId, key, value] }),
      ),
  };
}
