import type { Database, Executor } from "../platform/database/connect.ts";
import type { NonceStore } from "./off-chain-signatures.ts";
import { ownerNonce } from "./tables.ts";

/** Used nonces in Postgres: one statement uses one. */
export function createNonceStore(db: Database, clock: () => Date): NonceStore<Executor> {
  return {
    async consume(tx, { signer, nonce, digest }) {
      const used = await (tx ?? db)
        .insert(ownerNonce)
        .values({ signer, nonce: nonce.toString(), digest, usedAt: clock() })
        .onConflictDoNothing()
        .returning({ signer: ownerNonce.signer });
      return used.length > 0;
    },
  };
}
