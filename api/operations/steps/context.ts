import type { Address } from "viem";
import type { OwnerSignatures } from "../../kernel/signatures.ts";
import type { Relayer } from "../../platform/chain/transactions.ts";
import type { Standing } from "../../platform/sponsorship/gas-budget.ts";
import type { OperationLedger } from "../ledger.store.ts";
import type { ArchivedContent } from "../operation.ts";
import type { OperationChain } from "../operations.chain.ts";
import type { SigningDomains } from "../signing-domains.ts";

/** What every step of the engine works with. */
export interface EngineContext {
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
