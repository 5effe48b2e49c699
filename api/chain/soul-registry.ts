import type { Address, Hex, PublicClient, TransactionReceipt } from "viem";
import { encodeFunctionData, parseEventLogs, zeroAddress } from "viem";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import type {
  RegisteredSoul,
  RegistrationCall,
  SoulRegistryPort,
} from "../services/registration.ts";
import { withChainErrors } from "./reverts.ts";

export interface SoulRegistryOptions {
  readonly client: PublicClient;
  readonly address: Address;
  /** The account that submits: registrations are simulated as it. */
  readonly registrar: Address;
}

const NO_PROOF = { verifier: zeroAddress, data: "0x" } as const;
const NO_CONSENT = "0x";

/** The soul registry as the registration service uses it. */
export function createSoulRegistry({
  client,
  address,
  registrar,
}: SoulRegistryOptions): SoulRegistryPort {
  return {
    tokenOfName: (name) =>
      withChainErrors(() =>
        client.readContract({
          address,
          abi: soulRegistryAbi,
          functionName: "tokenOfName",
          args: [name],
        }),
      ),

    async simulateRegister({ message, publication, signature }) {
      const { result } = await withChainErrors(() =>
        client.simulateContract({
          address,
          abi: soulRegistryAbi,
          functionName: "register",
          args: [message, publication, NO_PROOF, NO_CONSENT, signature],
          account: registrar,
        }),
      );
      const [tokenId, passportId] = result;
      return { tokenId, passportId };
    },

    registerCall: ({ message, publication, signature }: RegistrationCall) => ({
      to: address,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "register",
        args: [message, publication, NO_PROOF, NO_CONSENT, signature],
      }),
    }),

    readRegistered: (receipt) => readRegistered(receipt, address),
  };
}

/** @throws Error when the transaction registered nothing here: a successful `register` always does. */
function readRegistered(receipt: TransactionReceipt, soulRegistry: Address): RegisteredSoul {
  const [sealed] = parseEventLogs({
    abi: soulRegistryAbi,
    eventName: "SoulSealed",
    logs: receipt.logs.filter((log) => log.address.toLowerCase() === soulRegistry.toLowerCase()),
  });
  if (!sealed) throw new Error(`Transaction ${receipt.transactionHash} sealed no soul.`);

  return {
    tokenId: sealed.args.tokenId,
    passportId: sealed.args.passportId,
    epoch: sealed.args.epoch,
    agentUriHasIds: sealed.args.agentURIHasIds,
    txHash: receipt.transactionHash as Hex,
    blockNumber: receipt.blockNumber,
  };
}
