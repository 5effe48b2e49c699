import type { Address, PublicClient, TransactionReceipt } from "viem";
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
import type { RegisteredSoul, RegistrationCall, SoulRegistryPort } from "./ports.ts";
import { REGISTRATION_GAS } from "./ports.ts";

export interface SoulRegistryOptions {
  readonly client: PublicClient;
  readonly address: Address;
  readonly passportWriter: Address;
  readonly identityRegistry: Address;
  /** The account that submits: registrations are simulated as it. */
  readonly registrar: Address;
}

/**
 * Code of a wallet that accepts every signature (ERC-1271). A simulation gives it to the owner's
 * account, so that the contract's other checks run before anything is signed.
 */
export const ACCEPTS_EVERY_SIGNATURE = "0x631626ba7e60e01b60005260206000f3";

/** The soul registry as the registration service uses it. */
export function createSoulRegistry({
  client,
  address,
  passportWriter,
  identityRegistry,
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

    async simulateRegister(call) {
      const { result } = await withChainErrors(() =>
        reportOutOfGas(REGISTRATION_GAS, () =>
          client.simulateContract({
            address,
            abi: soulRegistryAbi,
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

    async simulateUnsigned(call) {
      try {
        await withChainErrors(() =>
          reportOutOfGas(REGISTRATION_GAS, () =>
            client.call({
              to: address,
              data: encodeFunctionData({
                abi: soulRegistryAbi,
                functionName: "register",
                args: argumentsOf({ ...call, adminConsent: "0x", signature: "0x" }),
              }),
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

    registerCall: (call) => ({
      to: address,
      data: encodeFunctionData({
        abi: soulRegistryAbi,
        functionName: "register",
        args: argumentsOf(call),
      }),
    }),

    async registeredIn(txHash) {
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
  }: {
    readonly soulRegistry: Address;
    readonly passportWriter: Address;
    readonly identityRegistry: Address;
  },
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
