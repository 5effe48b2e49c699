import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hex } from "viem";
import { encodeFunctionData } from "viem";
import {
  identityRegistryAbi,
  passportWriterAbi,
  validationRegistryAbi,
} from "../../../protocol/generated/abi.ts";
import type { UnsignedTransaction } from "../../kernel/unsigned-transactions.ts";

/** A transaction for the passport's owner, ready to be signed. Integers are decimal strings. */
export interface OwnerTransaction extends UnsignedTransaction {
  readonly functionName: string;
  readonly args: readonly (string | readonly string[])[];
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
  { chainId, identityRegistry }: Pick<TransactionDeployment, "chainId" | "identityRegistry">,
  passportId: bigint,
  uri: string,
): OwnerTransaction {
  const description = `Point passport ${passportId} at its new registration file.`;
  const call = callOf(identityRegistryAbi, "setAgentURI", [passportId, uri]);
  return { chainId, to: identityRegistry, ...call, value: "0", description };
}

/** Lets the passport writer write to one passport. It ends with the passport's next transfer. */
export function approvalTransaction(
  { chainId, identityRegistry, passportWriter }: Omit<TransactionDeployment, "soulRegistry">,
  passportId: bigint,
): OwnerTransaction {
  const description = `Let the passport writer write to passport ${passportId} what its owner signs, and the state of its soul.`;
  const call = callOf(identityRegistryAbi, "approve", [passportWriter, passportId]);
  return { chainId, to: identityRegistry, ...call, value: "0", description };
}

/** Writes a soul's state to its passport. Any account may send it, once the passport writer is approved. */
export function syncTransaction(
  { chainId, passportWriter }: Pick<TransactionDeployment, "chainId" | "passportWriter">,
  tokenId: bigint,
): OwnerTransaction {
  const description = `Write the state of soul ${tokenId} to its passport.`;
  const call = callOf(passportWriterAbi, "sync", [[tokenId]]);
  return { chainId, to: passportWriter, ...call, value: "0", description };
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
  const { validationRegistry: to, validator, passportId, uri, hash } = request;
  const description = `Ask this service to validate passport ${passportId}.`;
  const args = [validator, passportId, uri, hash] as const;
  const call = callOf(validationRegistryAbi, "validationRequest", args);
  return { chainId, to, ...call, value: "0", description };
}

/** Writes one metadata entry of a passport. */
export function metadataTransaction(
  { chainId, identityRegistry }: TransactionDeployment,
  passportId: bigint,
  key: string,
  value: Hex,
): OwnerTransaction {
  const description = `Write ${key} of passport ${passportId}.`;
  const call = callOf(identityRegistryAbi, "setMetadata", [passportId, key, value]);
  return { chainId, to: identityRegistry, ...call, value: "0", description };
}

/** What a registration may leave to the passport's owner. */
export type PassportTransactions = ReturnType<typeof createPassportTransactions>;

/** Transactions about passports without what explains them, for their owners to sign. */
export function createPassportTransactions(
  deployment: Omit<TransactionDeployment, "soulRegistry">,
) {
  const plain = ({ chainId, to, data, value }: OwnerTransaction): UnsignedTransaction => ({
    chainId,
    to,
    data,
    value,
  });
  return {
    /** Lets the passport writer write to this one passport. */
    approve: (passportId: bigint) => plain(approvalTransaction(deployment, passportId)),
    setAgentUri: (passportId: bigint, uri: string) =>
      plain(agentUriTransaction(deployment, passportId, uri)),
    /** Has the passport writer write a soul's state to its passport. */
    sync: (tokenId: bigint) => plain(syncTransaction(deployment, tokenId)),
  };
}

/** A call as text and as data. */
function callOf<const abi extends Abi, name extends ContractFunctionName<abi, "nonpayable">>(
  abi: abi,
  functionName: name,
  args: ContractFunctionArgs<abi, "nonpayable", name>,
) {
  const values = args as readonly unknown[];
  const call: { readonly abi: Abi; readonly functionName: string; readonly args: typeof values } = {
    abi,
    functionName,
    args: values,
  };
  const textOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value));
  return {
    functionName: call.functionName,
    args: values.map(textOf),
    data: encodeFunctionData(call),
  };
}
