import { privateKeyToAccount } from "viem/accounts";
import { stackAccounts } from "../local-stack/accounts.ts";
import type { Chain, Keys } from "./chain.ts";

/**
 * Test accounts of the local chain that no service sends from. The relayer is not among them: a
 * running service would lose its nonces to the lifecycle, and the lifecycle its own to the service.
 */
export function localKeys(): Keys {
  const [owner, buyer, operator, registrar] = stackAccounts().users;
  if (!owner || !buyer || !operator || !registrar) {
    throw new Error("The local chain has too few accounts.");
  }
  return {
    registrar: registrar.privateKey,
    owner: owner.privateKey,
    buyer: buyer.privateKey,
    operator: operator.privateKey,
  };
}

/** Gives the lifecycle's registrar its role on the local chain, where the admin's key is known. */
export async function grantRegistrarRole({
  client,
  registrars,
  registrar,
  by,
}: Chain): Promise<void> {
  const role = await registrars.read.REGISTRAR_ROLE();
  if (await registrars.read.hasRole([role, registrar.address])) return;
  const admin = privateKeyToAccount(stackAccounts().admin.privateKey);
  const hash = await registrars.write.grantRole([role, registrar.address], by(admin));
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error("The admin's grant of REGISTRAR_ROLE reverted.");
}
