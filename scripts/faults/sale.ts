import type { Address, LocalAccount } from "viem";
import { sellPassport } from "../lib/passport-sale.ts";
import type { Sale } from "./ledger.ts";
import type { Topology } from "./topology.ts";

/** What a sale needs of an agent, and changes in it. */
interface SoldAgent {
  readonly owner: LocalAccount;
  readonly passportId: number;
  holder: Address;
}

/** Sells the passport past the provider and its faults. */
export async function sell({ stack, node }: Topology, agent: SoldAgent): Promise<Sale> {
  const { identityRegistry } = stack.deployment.contracts;
  const { buyer } = await sellPassport({ rpcUrl: node.directUrl, identityRegistry }, agent);
  agent.holder = buyer;
  return { at: performance.now() };
}
