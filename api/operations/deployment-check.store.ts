import { sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Executor } from "../platform/database/connect.ts";

/** The identity of a deployment. */
export interface DeploymentIdentity {
  readonly chainId: number;
  readonly contracts: Readonly<Record<string, Address | null>>;
}

/**
 * Refuses a database with operations of another deployment: their nonces and transactions do not exist in this one.
 *
 * @throws Error that says which deployment it belongs to, and what to do.
 */
export async function assertSameDeployment(
  db: Executor,
  { chainId, contracts }: DeploymentIdentity,
): Promise<void> {
  const known = Object.values(contracts).filter((address) => address !== null);
  const { rows } = await db.execute<{ chain_id: string; contract: string }>(sql`
    select chain_id, contract from app.operation_signature
    where chain_id <> ${chainId}
      or contract not in (${sql.join(
        known.map((address) => sql`${address}`),
        sql`, `,
      )})
    limit 1`);
  const [other] = rows;
  if (other === undefined) return;
  throw new Error(
    `This database belongs to another deployment: it has operations for the contract ${other.contract} on chain ${other.chain_id}. Start with a new, empty database.`,
  );
}
