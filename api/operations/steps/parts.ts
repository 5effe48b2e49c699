import type { Address } from "viem";
import type { OwnerSignatures } from "../../kernel/signatures.ts";
import type { Relayer } from "../../platform/chain/transactions.ts";
import type { Standing } from "../../platform/sponsorship/gas-budget.ts";
import type { CarryOut } from "../carry-out.ts";
import type { OperationLedger } from "../ledger.ts";
import type { ArchivedContent, OperationChain } from "../operation.ts";
import type { SigningDomains } from "../signing-domains.ts";
import type { OperationVerifier } from "../verify.ts";

export interface OperationEngineDeps {
  readonly domains: SigningDomains;
  readonly chain: OperationChain;
  readonly relayer: Pick<Relayer, "run">;
  readonly archive: { archive(content: ArchivedContent): Promise<string> };
  readonly signatures: OwnerSignatures;
  readonly ledger: OperationLedger;
  /** Whose share of the day's gas an operation with these signers uses. */
  readonly standingOf: (signers: readonly Address[]) => Promise<Standing>;
  readonly index: { waitForBlock(block: bigint): Promise<bigint> };
  readonly clock: () => Date;
  readonly randomNonce: () => bigint;
}

/** Dependencies of every step of the engine. */
export interface EngineParts extends OperationEngineDeps {
  readonly verifier: OperationVerifier;
  readonly carryOut: CarryOut;
}
