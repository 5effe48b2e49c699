import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem";
import {
  identityRegistryAbi,
  passportWriterAbi,
  validationRegistryAbi,
} from "../../../protocol/generated/abi.ts";

/** A transaction for the passport's owner, ready to be signed. Integers are decimal strings. */
export interface OwnerTransaction {
  readonly chainId: number;
  readonly to: Address;
  readonly functionName: string;
  readonly args: readonly (string | readonly string[])[];
  readonly data: Hex;
  /** Wei: always none. */
  readonly value: "0";
  readonly description: string;
}

export interface TransactionDeployment {
  readonly chainId: number;
  readonly identityRegistry: Address;
  readonly soulRegistry: Address;
  readonly passportWriter: Address;
}

/** Points a passport at another registration file. */
export function agentUriTransaction(
  { chainId, identityRegistry }: TransactionDeployment,
  passportId: bigint,
  uri: string,
): OwnerTransaction {
  return {
    chainId,
    to: identityRegistry,
    functionName: "setAgentURI",
    args: [passportId.toString(), uri],
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "setAgentURI",
      args: [passportId, uri],
    }),
    value: "0",
    description: `Point passport ${passportId} at its new registration file.`,
  };
}

/** Lets the passport writer write to one passport. It ends with the passport's next transfer. */
export function approvalTransaction(
  { chainId, identityRegistry, passportWriter }: TransactionDeployment,
  passportId: bigint,
): OwnerTransaction {
  return {
    chainId,
    to: identityRegistry,
    functionName: "approve",
    args: [passportWriter, passportId.toString()],
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "approve",
      args: [passportWriter, passportId],
    }),
    value: "0",
    description: `Let the passport writer write to passport ${passportId} what its owner signs, and the state of its soul.`,
  };
}

/** Writes a soul's state to its passport. Any account may send it, once the passport writer is approved. */
export function syncTransaction(
  { chainId, passportWriter }: Pick<TransactionDeployment, "chainId" | "passportWriter">,
  tokenId: bigint,
): OwnerTransaction {
  return {
    chainId,
    to: passportWriter,
    functionName: "sync",
    args: [[tokenId.toString()]],
    data: encodeFunctionData({
      abi: passportWriterAbi,
      functionName: "sync",
      args: [[tokenId]],
    }),
    value: "0",
    description: `Write the state of soul ${tokenId} to its passport.`,
  };
}

/** Asks a validator for its word on a passport. */
export function validationRequestTransaction(
  { chainId }: TransactionDeployment,
  request: {
    readonly validationRegistry: Address;
    readonly validator: Address;
    readonly passportId: bigint;
    readonly uri: string;
    readonly hash: Hex;
  },
): OwnerTransaction {
  const { validationRegistry, validator, passportId, uri, hash } = request;
  return {
    chainId,
    to: validationRegistry,
    functionName: "validationRequest",
    args: [validator, passportId.toString(), uri, hash],
    data: encodeFunctionData({
      abi: validationRegistryAbi,
      functionName: "validationRequest",
      args: [validator, passportId, uri, hash],
    }),
    value: "0",
    description: `Ask this service to validate passport ${passportId}.`,
  };
}

/** Writes one metadata entry of a passport. */
export function metadataTransaction(
  { chainId, identityRegistry }: TransactionDeployment,
  passportId: bigint,
  key: string,
  value: Hex,
): OwnerTransaction {
  return {
    chainId,
    to: identityRegistry,
    functionName: "setMetadata",
    args: [passportId.toString(), key, value],
    data: encodeFunctionData({
      abi: identityRegistryAbi,
      functionName: "setMetadata",
      args: [passportId, key, value],
    }),
    value: "0",
    description: `Write ${key} of passport ${passportId}.`,
  };
}
