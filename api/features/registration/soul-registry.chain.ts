import type { Address, Hex, PublicClient, TransactionReceipt } from "viem";
import { encodeFunctionData, isAddressEqual, parseEventLogs } from "viem";
import {
  identityRegistryAbi,
  passportWriterAbi,
  soulRegistryAbi,
} from "../../../protocol/generated/abi.ts";
import { NO_HUMAN_PROOF } from "../../../protocol/index.ts";
import { isRefusedFor } from "../../kernel/errors.ts";
import { reportOutOfGas } from "../../platform/chain/out-of-gas.ts";
import { isNodeRefusal, withChainErrors } from "../../platform/chain/reverts.ts";
import type { Call } from "../../platform/chain/transactions.ts";
import type { RegisteredSoul, RegistrationCall } from "./ports.ts";
import { REGISTRATION_GAS } from "./ports.ts";

/**
 * Code of a wallet that accepts every signature (ERC-1271). A simulation gives it to the owner's
 * account, so that the contract's other checks run before anything is signed.
 */
export const ACCEPTS_EVERY_SIGNATURE = "0x631626ba7e60e01b60005260206000f3";

export type SoulRegistry = ReturnType<typeof createSoulRegistry>;

/** The soul registry as the registration service uses it. */
export function createSoulRegistry({
  client,
  address,
  passportWriter,
  identityRegistry,
  registrar,
}: {
  readonly client: PublicClient;
  readonly address: Address;
  readonly passportWriter: Address;
  readonly identityRegistry: Address;
  /** The account that submits: registrations are simulated as it. */
  readonly registrar: Address;
}) {
  const registry = { address, abi: soulRegistryAbi } as const;
  const dataOf = (call: RegistrationCall) =>
    encodeFunctionData({ abi: soulRegistryAbi, functionName: "register", args: argumentsOf(call) });
  return {
    /** The soul with this name in the latest block; 0 for none. */
    tokenOfName: (name: string): Promise<bigint> =>
      withChainErrors(() =>
        client.readContract({ ...registry, functionName: "tokenOfName", args: [name] }),
      ),

    /** The ids that this registration would get now. Throws the contract's refusal as an ApiError. */
    async simulateRegister(call: RegistrationCall) {
      const { result } = await withChainErrors(() =>
        reportOutOfGas(REGISTRATION_GAS, () =>
          client.simulateContract({
            ...registry,
            functionName: "register",
            args: argumentsOf(call),
            account: registrar,
            gas: REGISTRATION_GAS,
          }),
        ),
      );
      const [tokenId, passportId] = result;
      return { tokenId, passportId };
    },

    /**
     * Whether the contract would take the registration if its owner, and where needed an organization's admin, signed it. Throws the
     * contract's refusal as an ApiError.
     */
    async simulateUnsigned(call: RegistrationCall): Promise<void> {
      try {
        await withChainErrors(() =>
          reportOutOfGas(REGISTRATION_GAS, () =>
            client.call({
              to: address,
              data: dataOf({ ...call, adminConsent: "0x", signature: "0x" }),
              account: registrar,
              gas: REGISTRATION_GAS,
              stateOverride: [{ address: call.message.owner, code: ACCEPTS_EVERY_SIGNATURE }],
            }),
          ),
        );
      } catch (error) {
        // The contract checks it last. The admin signs a digest of the owner's message, so the
        // consent cannot exist before preparation.
        if (isRefusedFor(error, "AdminConsentRequired")) return;
        // Not every node takes overrides of the state. The signed registration is simulated without any.
        if (!isNodeRefusal(error)) throw error;
      }
    },

    registerCall: (call: RegistrationCall): Call => ({ to: address, data: dataOf(call) }),

    /** What a transaction registered. */
    async registeredIn(txHash: Hex): Promise<RegisteredSoul> {
      const receipt = await withChainErrors(() => client.getTransactionReceipt({ hash: txHash }));
      return registeredBy(receipt, { soulRegistry: address, passportWriter, identityRegistry });
    },
  };
}

function argumentsOf({
  message,
  publication,
  humanProof,
  adminConsent,
  signature,
}: RegistrationCall) {
  return [message, publication, humanProof ?? NO_HUMAN_PROOF, adminConsent, signature] as const;
}

/** @throws Error when the transaction registered nothing here: a successful `register` always does. */
function registeredBy(
  receipt: TransactionReceipt,
  {
    soulRegistry,
    passportWriter,
    identityRegistry,
  }: Readonly<Record<"soulRegistry" | "passportWriter" | "identityRegistry", Address>>,
): RegisteredSoul {
  const by = (contract: Address) =>
    receipt.logs.filter((log) => isAddressEqual(log.address, contract));
  const own = parseEventLogs({ abi: soulRegistryAbi, logs: by(soulRegistry) });
  const registered = own.find((log) => log.eventName === "SoulRegistered");
  if (!registered) throw new Error(`Transaction ${receipt.transactionHash} registered no soul.`);

  const { tokenId, passportId, epoch } = registered.args;
  const left = parseEventLogs({
    abi: passportWriterAbi,
    eventName: "MetadataPending",
    logs: by(passportWriter),
  });
  return {
    tokenId,
    passportId,
    epoch,
    agentUri: writtenUri(by(identityRegistry), passportId),
    metadata: left.length > 0 ? "pending" : "written",
    txHash: receipt.transactionHash,
    blockNumber: receipt.blockNumber,
  };
}

/** The URI that a transaction wrote to a passport; null if it wrote none. */
function writtenUri(logs: TransactionReceipt["logs"], passportId: bigint): string | null {
  const uris = parseEventLogs({
    abi: identityRegistryAbi,
    eventName: ["Registered", "URIUpdated"],
    logs,
  })
    .filter(({ args }) => args.agentId === passportId)
    .map(({ eventName, args }) => (eventName === "Registered" ? args.agentURI : args.newURI));
  return uris.at(-1) ?? null;
}
